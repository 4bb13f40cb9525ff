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
   * How long a connection may transfer nothing while a request is in progress: its caller does not read. Longer than
   * any response takes.
   */
  silenceMs: number;
};
const DEADLINES: Deadlines = { headersMs: 8_000, requestMs: 15_000, checkEveryMs: 1_000, silenceMs: 45_000 };
/** Longer than game servers pause between bursts, so that their connections stay open. */
const KEEP_ALIVE_MS = 65_000;
const HEADER_BYTES_MAX = 16 * 1024;

export type ApiServer = {
  port: number;
  /** Accepts no new connection, answers requests in progress, then resolves. */ close(): Promise<void>;
};

/** Rejects if the port is in use. */
export async function startServer(
  { listener, classes }: ServedApp,
  address: { host: string; port: number },
  { connections, ...changes }: { connections: ConnectionCap } & Partial<Deadlines>,
): Promise<ApiServer> {
  const deadlines = { ...DEADLINES, ...changes };
  let closing = false;
  const server = createServer({
    ...classes,
    headersTimeout: deadlines.headersMs,
    requestTimeout: deadlines.requestMs,
    connectionsCheckingInterval: deadlines.checkEveryMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
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
  answerConnect(server);
  hangUpOnBrokenHttp(server, connections);
  const stopChecking = endSlowBodies(server, connections, deadlines.checkEveryMs);

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(address.port, address.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      closing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      // Otherwise it would wait for connections that become idle after their last response.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      await closed;
      clearInterval(sweep);
      stopChecking();
    },
  };
}

/**
 * CONNECT requests a tunnel; without this, Node would close the connection without a response. It is answered like any
 * other request.
 */
function answerConnect(server: Server): void {
  server.on("connect", (req, socket: Socket) => {
    socket.on("error", () => {});
    answerLast(server, req, socket);
  });
}

/** Answers a request that Node passes on without a response object, and ends its connection. */
function answerLast(server: Server, req: IncomingMessage, socket: Socket): void {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  res.on("finish", () => socket.end());
  server.emit("request", req, res);
}

/**
 * Malformed HTTP gets a bare status and a closed connection, after the responses to complete requests before it: those
 * may have been applied.
 */
function hangUpOnBrokenHttp(server: Server, connections: Pick<ConnectionCap, "inProgressOn">): void {
  const ending = new WeakSet<Socket>();
  server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket) => {
    // Node reports each packet that follows a malformed one as another error; the first one was reported.
    if (ending.has(socket)) return;
    ending.add(socket);
    const lastWhole = [...connections.inProgressOn(socket)].findLast((res) => res.req.complete);
    if (error.code === "HPE_INVALID_METHOD") {
      const req = error.rawPacket && !lastWhole ? requestOfUnknownMethod(error.rawPacket, socket) : null;
      if (req && !isAmbiguous(req)) return answerLast(server, req, socket);
    }
    if (lastWhole) lastWhole.once("close", () => hangUp(socket, statusOf(error)));
    else hangUp(socket, statusOf(error));
  });
}

function hangUp(socket: Socket, status: number): void {
  if (socket.writable) socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
  socket.destroySoon();
}

function statusOf({ code }: NodeJS.ErrnoException): number {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  return code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
}
