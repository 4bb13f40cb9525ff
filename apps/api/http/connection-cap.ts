// Bounds the connections of this process, so that idle ones cannot block callers. At the bound, a new connection
// replaces the one that has been without a request for longest, first among those that never presented a valid key.
// Therefore it knows the requests in progress on each connection.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export type ConnectionCap = {
  /** Called for each new connection. */
  opened(socket: Socket): void;
  /** Called for each request, when it begins. */
  began(req: IncomingMessage, res: ServerResponse): void;
  /** Called when its caller has presented a valid key. */
  markAuthenticated(socket: Socket): void;
  /** The responses to the requests in progress on this connection, in the order of the requests. */
  inProgressOn(socket: object): Iterable<ServerResponse>;
  /** The same on all connections. */
  inProgress(): Iterable<ServerResponse>;
};

export function makeConnectionCap(connectionsMax: number): ConnectionCap {
  const open = new Map<object, Set<ServerResponse>>();
  const known = new WeakSet<Socket>();
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
      open.set(socket, new Set());
      socket.once("close", () => {
        open.delete(socket);
        forget(socket);
      });
      if (open.size > connectionsMax) {
        const [longestIdle = socket] = idleStrangers.size > 0 ? idleStrangers : idleKnown;
        drop(longestIdle);
      }
      fellIdle(socket);
    },

    began({ socket }, res) {
      const responses = open.get(socket);
      // It has closed meanwhile.
      if (!responses) return;
      responses.add(res);
      forget(socket);
      res.on("close", () => {
        responses.delete(res);
        if (responses.size === 0) fellIdle(socket);
      });
    },

    markAuthenticated: (socket) => void known.add(socket),
    inProgressOn: (socket) => open.get(socket) ?? [],
    *inProgress() {
      for (const responses of open.values()) yield* responses;
    },
  };
}
