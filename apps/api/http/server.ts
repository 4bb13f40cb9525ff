// The HTTP server around the app: its deadlines, its malformed requests, its shutdown.
import {
  createServer,
  ServerResponse,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { ConnectionCap } from "./connection-cap.ts";
import type { ServedApp } from "./express-app.ts";
import { isAmbiguous, unambiguously } from "./framing.ts";
import { endSlowBodies } from "./slow-bodies.ts";
import { requestOfUnknownMethod } from "./unknown-method.ts";

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
/** How long a caller has to close a connection after its last response. */
const LINGER_MS = 2_000;

export type ApiServer = {
  port: number;
  /** Accepts no new connection, answers requests in progress, then resolves. */ close(): Promise<void>;
};

/** Rejects if the port is in use. */
export async function startServer(
  { listener, classes }: ServedApp,
  { host, port, keepAliveS }: { host: string; port: number; keepAliveS: number },
  { connections, ...changes }: { connections: ConnectionCap } & Partial<Deadlines>,
): Promise<ApiServer> {
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
  answerConnect(server, connections);
  closeOnInvalidHttp(server, connections);
  const stopChecking = endSlowBodies(server, connections, deadlines.checkEveryMs);

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      closing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      // Otherwise it would wait for connections that become idle after their last response.
      const idleTimer = setInterval(() => server.closeIdleConnections(), 50);
      await closed;
      clearInterval(idleTimer);
      stopChecking();
    },
  };
}

/**
 * CONNECT requests a tunnel; without this, Node would close the connection without a response. It is answered like any
 * other request, after those before it on its connection: a socket takes one response at a time, and throws otherwise.
 */
function answerConnect(server: Server, connections: Pick<ConnectionCap, "inProgressOn">): void {
  server.on("connect", (req, socket: Socket) => {
    // Node has given the socket up: it handles no error, silence or end of it any more. What follows is discarded.
    socket.on("error", () => {});
    socket.on("timeout", () => socket.destroy());
    socket.resume();
    afterEarlier(connections, socket, () => answerLast(server, req, socket));
  });
}

/**
 * Answers a request that Node passes on without a response object, and ends its connection. No response is in progress
 * on it.
 */
function answerLast(server: Server, req: IncomingMessage, socket: Socket): void {
  // An earlier request on it was malformed, or asked to close it, or the caller has disconnected.
  if (!socket.writable) return;
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  res.on("finish", () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
  });
  server.emit("request", req, res);
}

/** The codes of Node's parser for a method that it does not serve: unknown, of RTSP, or of HTTP/2. */
const METHOD_ERRORS: ReadonlySet<string> = new Set([
  "HPE_INVALID_METHOD",
  "HPE_INVALID_CONSTANT",
  "HPE_INVALID_VERSION",
]);

/**
 * Malformed HTTP gets a bare status and a closed connection, after the responses to complete requests before it: those
 * may have been applied.
 */
function closeOnInvalidHttp(server: Server, connections: Pick<ConnectionCap, "inProgressOn">): void {
  const ending = new WeakSet<Socket>();
  server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket) => {
    // Node reports each packet that follows a malformed one as another error; the first one was reported.
    if (ending.has(socket)) return;
    ending.add(socket);
    const isOfMethod = error.code !== undefined && METHOD_ERRORS.has(error.code);
    const req = isOfMethod && error.rawPacket ? requestOfUnknownMethod(error.rawPacket, socket) : null;
    afterEarlier(connections, socket, () =>
      req && !isAmbiguous(req) ? answerLast(server, req, socket) : endWithStatus(socket, statusOf(error)),
    );
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
