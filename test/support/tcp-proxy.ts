// A TCP proxy with faults on demand: held, slow, cut at a byte, reset, silent, closed to new connections. By default
// it forwards everything, in order.
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { listen } from "./listen.ts";

/**
 * Where a connection is cut: after this many more bytes of all connections together, or after the next piece that
 * contains this text.
 */
export type Where = { bytes: number } | { text: string };

/** Which way bytes go: to the server behind the proxy, or back to its caller. */
export type Way = "there" | "back";

export type TcpProxy = {
  port: number;
  /** Nothing passes in either direction, connections stay open: a process that was stopped, a network that swallows. */
  hold(): void;
  release(): void;
  /** Everything passes this much later. */
  delay(ms: number): void;
  /**
   * Ends the connection that passes this place that way. Resolves when it has. `andRejectOthers`: then no other is left,
   * and none let in. `silently`: it is not ended but silent for ever, and neither side learns of the other.
   */
  cutAfter(way: Way, where: Where, options?: { andRejectOthers?: boolean; silently?: boolean }): Promise<void>;
  /**
   * Holds back the next piece to the server that holds this text, with all that follows on its connection, also when
   * the caller gives the connection up: as a server that was stopped has it in its socket. Resolves once it has; what
   * it gives delivers it, and resolves when the server has answered or hung up.
   */
  holdBack(text: string): Promise<() => Promise<void>>;
  /** Bytes that came to the proxy so far. */
  passed(way: Way): number;
  /** Those that are open and are not blackholed. */
  connections(): number;
  /** Resets every connection. */
  reset(): void;
  /**
   * Connections of now stay open and are silent for ever, as after a router forgot them; new ones are as good as any.
   */
  blackhole(): void;
  /** New connections reach another server; those of now stay with theirs, as behind a load balancer or a DNS name. */
  moveTo(server: { host: string; port: number }): void;
  /** While set, new connections are reset immediately. */
  rejectConnections(rejecting: boolean): void;
  close(): Promise<void>;
};

type Cut = { way: Way; where: Where; andRejectOthers: boolean; silently: boolean; done: () => void };
/** `heldBack`: the part that is held back on its way to the server. */
type Link = { sockets: readonly [Socket, Socket]; blackholed: boolean; ended: boolean; heldBack: Buffer[] | null };
type HoldBack = { text: string; done: (deliver: () => Promise<void>) => void };

export async function startTcpProxy(first: { host: string; port: number }): Promise<TcpProxy> {
  let target = first;
  const links = new Set<Link>();
  const passed = { there: 0, back: 0 };
  let [held, rejecting, delayMs] = [false, false, 0];
  let cut: Cut | null = null;
  let toHold: HoldBack | null = null;

  /** False: it is to be passed on. */
  function holdsBack(link: Link, chunk: Buffer): boolean {
    if (!link.heldBack && toHold && chunk.includes(toHold.text)) {
      link.heldBack = [];
      toHold.done(() => deliver(link));
      toHold = null;
    }
    link.heldBack?.push(chunk);
    return link.heldBack !== null;
  }

  async function deliver(link: Link): Promise<void> {
    const [caller, upstream] = link.sockets;
    const answered = new Promise<void>((resolve) => {
      for (const event of ["data", "close"] as const) upstream.once(event, () => resolve());
    });
    for (const piece of link.heldBack ?? []) upstream.write(piece);
    link.heldBack = null;
    if (caller.destroyed) upstream.end();
    await answered;
  }

  function pass(link: Link, way: Way, chunk: Buffer, to: Socket): void {
    if (link.ended) return;
    passed[way] += chunk.length;
    if (way === "there" && holdsBack(link, chunk)) return;
    const length = cut?.way === way ? passesBefore(cut, chunk) : null;
    if (cut === null || length === null) return void to.write(chunk);
    const { andRejectOthers, silently, done } = cut;
    cut = null;
    link.ended = true;
    if (silently) {
      blackhole(link);
      return void to.write(chunk.subarray(0, length), () => done());
    }
    if (andRejectOthers) {
      rejecting = true;
      for (const other of links) if (other !== link) resetLink(other);
    }
    // Not a reset: that could overtake the bytes that are to arrive.
    to.end(chunk.subarray(0, length), () => {
      for (const socket of link.sockets) socket.destroy();
      done();
    });
  }

  function join(link: Link, way: Way, from: Socket, to: Socket): void {
    // What is delayed keeps what follows behind it, also when the delay ends.
    let [last, waiting] = [Promise.resolve(), 0];
    from.on("data", (chunk) => {
      if (delayMs === 0 && waiting === 0) return pass(link, way, chunk, to);
      const due = pause(delayMs);
      waiting += 1;
      last = last.then(async () => {
        await due;
        waiting -= 1;
        pass(link, way, chunk, to);
      });
    });
    if (held) from.pause();
    from.on("error", () => {});
    from.on("close", () => {
      if (link.blackholed || link.heldBack) return;
      links.delete(link);
      if (!link.ended) to.destroy();
    });
  }

  const server = createServer((caller) => {
    if (rejecting) return void caller.resetAndDestroy();
    const upstream = connect(target);
    const link: Link = { sockets: [caller, upstream], blackholed: false, ended: false, heldBack: null };
    links.add(link);
    join(link, "there", caller, upstream);
    join(link, "back", upstream, caller);
  });
  const port = await listen(server);
  const live = (): Socket[] => [...links].filter((link) => !link.blackholed).flatMap((link) => link.sockets);

  return {
    port,
    hold() {
      held = true;
      for (const socket of live()) socket.pause();
    },
    release() {
      held = false;
      for (const socket of live()) socket.resume();
    },
    delay(ms) {
      delayMs = ms;
    },
    cutAfter: (way, where, { andRejectOthers = false, silently = false } = {}) =>
      new Promise((done) => {
        cut = { way, where: { ...where }, andRejectOthers, silently, done };
      }),
    holdBack: (text) =>
      new Promise((done) => {
        toHold = { text, done };
      }),
    passed: (way) => passed[way],
    connections: () => live().length / 2,
    reset() {
      for (const link of links) if (!link.blackholed) resetLink(link);
    },
    blackhole() {
      for (const link of links) blackhole(link);
    },
    moveTo(next) {
      target = next;
    },
    rejectConnections(now) {
      rejecting = now;
    },
    async close() {
      for (const link of links) for (const socket of link.sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** How much of the chunk passes before the cut; null: all of it, and the cut is yet to come. */
function passesBefore({ where }: Cut, chunk: Buffer): number | null {
  if ("text" in where) return chunk.includes(where.text) ? chunk.length : null;
  if (chunk.length >= where.bytes) return where.bytes;
  where.bytes -= chunk.length;
  return null;
}

function blackhole(link: Link): void {
  link.blackholed = true;
  for (const socket of link.sockets) socket.pause();
}

function resetLink({ sockets }: Link): void {
  for (const socket of sockets) if (!socket.destroyed) socket.resetAndDestroy();
}
