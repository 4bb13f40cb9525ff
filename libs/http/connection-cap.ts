// Bounds the connections of this process, so that idle ones cannot block callers. At the bound, a new connection
// replaces the one that has been without a request for longest, first among those that never presented a valid key.
// Therefore it knows the requests in progress on each connection. A body that anybody may send is no reason to stay.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export type ConnectionCap = {
  /** Called for each new connection. */
  opened(socket: Socket): void;
  /** Called for each request, when it begins. */
  began(req: IncomingMessage, res: ServerResponse): void;
  /** Called when its caller has presented a valid key. */
  markAuthenticated(socket: Socket): void;
  /**
   * Called before the body of a request without a key is read: until the function that it returns is called, the
   * connection counts as idle, unless an earlier request on it is in progress.
   */
  awaitsBody(socket: Socket): () => void;
  /** The responses to the requests in progress on this connection, in the order of the requests. */
  inProgressOn(socket: object): Iterable<ServerResponse>;
  /** The same on all connections. */
  inProgress(): Iterable<ServerResponse>;
};

export function makeConnectionCap(connectionsMax: number): ConnectionCap {
  const open = new Map<object, Set<ServerResponse>>();
  const authenticated = new WeakSet<Socket>();
  /** Without a request; the longest first. */
  const idleUnauthenticated = new Set<Socket>();
  const idleAuthenticated = new Set<Socket>();

  function markIdle(socket: Socket): void {
    if (!socket.destroyed) (authenticated.has(socket) ? idleAuthenticated : idleUnauthenticated).add(socket);
  }
  function removeIdle(socket: Socket): void {
    idleUnauthenticated.delete(socket);
    idleAuthenticated.delete(socket);
  }
  function drop(socket: Socket): void {
    removeIdle(socket);
    socket.destroy();
  }

  return {
    opened(socket) {
      open.set(socket, new Set());
      socket.once("close", () => {
        open.delete(socket);
        removeIdle(socket);
      });
      if (open.size > connectionsMax) {
        const [longestIdle = socket] = idleUnauthenticated.size > 0 ? idleUnauthenticated : idleAuthenticated;
        drop(longestIdle);
      }
      markIdle(socket);
    },

    began({ socket }, res) {
      const responses = open.get(socket);
      // It has closed meanwhile.
      if (!responses) return;
      responses.add(res);
      removeIdle(socket);
      res.on("close", () => {
        responses.delete(res);
        if (responses.size === 0) markIdle(socket);
      });
    },

    markAuthenticated: (socket) => void authenticated.add(socket),
    awaitsBody(socket) {
      if (open.get(socket)?.size === 1) markIdle(socket);
      return () => removeIdle(socket);
    },
    inProgressOn: (socket) => open.get(socket) ?? [],
    *inProgress() {
      for (const responses of open.values()) yield* responses;
    },
  };
}
