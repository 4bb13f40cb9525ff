// The HTTP server around the app: its deadlines, its malformed requests, its shutdown.
import { createServer, STATUS_CODES, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { ConnectionCap } from "#http/connection-cap.ts";
import type { ServedApp } from "#http/express-app.ts";
import { unambiguously } from "#http/framing.ts";
import { endSlowBodies } from "#http/slow-bodies.ts";

export type Deadlines = {
  /** A request's headers and its whole body must arrive within these times; then 408 and a closed connection. */
  headersMs: number;
  requestMs: number;
  /** How often the deadlines are checked. */
  checkEveryMs: number;
  /**
   * How long a connection may transfer nothing while a request is in progress, because its caller does not read. Longer
   * than any response takes.
   */
  silenceMs: number;
};
const DEADLINES: Deadlines = { headersMs: 8_000, requestMs: 15_000, checkEveryMs: 1_000, silenceMs: 45_000 };
const HEADER_BYTES_MAX = 16 * 1024;
/** New connections that wait to be accepted: as many as Linux allows. Node's 511 loses some of 1,000 together. */
const BACKLOG = 4_096;

/** `drainMs`: the time after which `close` aborts requests in progress; without it, all of them are answered. */
type Settings = { host: string; port: number; keepAliveS: number; drainMs?: number };
export type Listening = {
  port: number;
  /** Accepts no new connection, answers requests in progress, then resolves. */ close(): Promise<void>;
};

/** Listens on `port` (0: a free one). Rejects if the port is in use. */
export async function startServer(
  { listener, classes }: ServedApp,
  { host, port, keepAliveS, drainMs }: Settings,
  { connections, ...changes }: { connections: ConnectionCap } & Partial<Deadlines>,
): Promise<Listening> {
  const deadlines = { ...DEADLINES, ...changes };
  let closing = false;
  const server = createServer({
    ...classes,
    headersTimeout: deadlines.headersMs,
    requestTimeout: deadlines.requestMs,
    connectionsCheckingInterval: deadlines.checkEveryMs,
    keepAliveTimeout: keepAliveS * 1_000,
    maxHeaderSize: HEADER_BYTES_MAX,
    // Checked with the rest of the framing, so that every response on a connection is known.
    requireHostHeader: false,
  });
  server.on("request", (_req, res) => {
    if (closing) res.shouldKeepAlive = false;
  });
  server.timeout = deadlines.silenceMs;
  server.on("connection", connections.opened);
  const begin: RequestListener = (req, res) => {
    connections.began(req, res);
    listener(req, res);
  };
  server.on("request", unambiguously(begin, server));
  // `100 Continue` is sent only after the caller was admitted; other expectations are no reason to reject a request.
  server.on("checkContinue", (req, res) => server.emit("request", req, res));
  server.on("checkExpectation", (req, res) => server.emit("request", req, res));
  closeOnInvalidHttp(server, connections);
  const stopChecking = endSlowBodies(server, connections, deadlines.checkEveryMs);

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // Without a host, Node listens on IPv4 alone where the system has no IPv6.
    server.listen({ port, host: host === "::" ? undefined : host, backlog: BACKLOG }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      closing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      // Otherwise it would wait for connections that become idle after their last response.
      const idleTimer = setInterval(() => server.closeIdleConnections(), 50);
      const abortTimer = drainMs === undefined ? undefined : setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearInterval(idleTimer);
      clearTimeout(abortTimer);
      stopChecking();
    },
  };
}

/**
 * Malformed HTTP, methods that HTTP does not define and CONNECT get a bare status and a closed connection, after the
 * responses to complete requests before them: those may have been applied.
 */
function closeOnInvalidHttp(server: Server, connections: Pick<ConnectionCap, "inProgressOn">): void {
  const ending = new WeakSet<Socket>();
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    // Node reports each packet that follows a malformed one as another error; the first one was reported.
    if (ending.has(socket)) return;
    ending.add(socket);
    afterEarlier(connections, socket, () => endWithStatus(socket, statusOf(error)));
  });
  // CONNECT requests a tunnel; without this, Node would close the connection without a response.
  server.on("connect", (_req, socket: Socket) => {
    // Node has given the socket up: it handles no error, silence or end of it any more. What follows is discarded.
    socket.on("error", () => {});
    socket.on("timeout", () => socket.destroy());
    socket.resume();
    server.emit("clientError", new Error("CONNECT"), socket);
  });
}

/** Runs `end` after the responses to the complete requests in progress on this connection, or now if there are none. */
function afterEarlier(connections: Pick<ConnectionCap, "inProgressOn">, socket: Socket, end: () => void): void {
  const lastComplete = [...connections.inProgressOn(socket)].findLast((res) => res.req.complete);
  if (lastComplete) lastComplete.once("close", end);
  else end();
}

function endWithStatus(socket: Socket, status: number): void {
  if (socket.writable) socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
  socket.destroySoon();
}

function statusOf({ code }: NodeJS.ErrnoException): number {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  return code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
}
