// Bounds the connections of this process, so that idle ones cannot block callers. At the bound, a new connection
// replaces the one that has been without a request for longest, first among those that never presented a valid key.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export type ConnectionCap = {
  /** Called for each new connection. */
  opened(socket: Socket): void;
  /** Called for each request, when it begins. */
  began(req: IncomingMessage, res: ServerResponse): void;
  /** Its caller has presented a valid key. */
  markAuthenticated(socket: Socket): void;
};

export function makeConnectionCap(connectionsMax: number): ConnectionCap {
  let open = 0;
  const known = new WeakSet<Socket>();
  const underWay = new WeakMap<Socket, number>();
  /** Without a request; the longest first. */
  const idleStrangers = new Set<Socket>();
  const idleKnown = new Set<Socket>();

  function fellIdle(socket: Socket): void {
    if (!socket.destroyed) (known.has(socket) ? idleKnown : idleStrangers).add(socket);
  }
  function forget(socket: Socket): void {
    idleStrangers.delete(socket);
    idleKnown.delete(socket);
  }
  function drop(socket: Socket): void {
    forget(socket);
    socket.destroy();
  }

  return {
    opened(socket) {
      open += 1;
      socket.once("close", () => {
        open -= 1;
        forget(socket);
      });
      if (open > connectionsMax) {
        const [longestIdle = socket] = idleStrangers.size > 0 ? idleStrangers : idleKnown;
        drop(longestIdle);
      }
      fellIdle(socket);
    },

    began({ socket }, res) {
      underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
      forget(socket);
      res.once("close", () => {
        const left = (underWay.get(socket) ?? 1) - 1;
        underWay.set(socket, left);
        if (left === 0) fellIdle(socket);
      });
    },

    markAuthenticated: (socket) => void known.add(socket),
  };
}
