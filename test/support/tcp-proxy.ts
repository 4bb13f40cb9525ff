// A wire that can be held: what is sent meanwhile arrives, in order, once it is let go.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export type TcpProxy = {
  port: number;
  /** Nothing passes in either direction, connections stay open: a process that was stopped, a network that swallows. */
  hold(): void;
  letGo(): void;
  close(): Promise<void>;
};

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let held = false;

  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on("data", (chunk) => to.write(chunk));
    if (held) from.pause();
    from.on("error", () => to.destroy());
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
  }

  const server = createServer((caller) => {
    const upstream = connect(target);
    join(caller, upstream);
    join(upstream, caller);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    hold() {
      held = true;
      for (const socket of sockets) socket.pause();
    },
    letGo() {
      held = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
