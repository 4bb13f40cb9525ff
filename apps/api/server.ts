// The HTTP server around the app: its deadlines, its odd requests, its end.
import type { Express } from "express";
import { createServer, STATUS_CODES, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A request's headers and its whole body must arrive within these; then 408 and a closed connection. */
const HEADERS_MS = 8_000;
const REQUEST_MS = 15_000;
/** How often the deadlines are looked at. */
const CHECK_EVERY_MS = 1_000;
/** Longer than game servers pause between bursts, so that they keep their connections. */
const KEEP_ALIVE_MS = 65_000;
const HEADER_BYTES_MAX = 16 * 1024;

export type ApiServer = { port: number; /** Takes no new connection, answers what is under way, then resolves. */ close(): Promise<void> };

/** Rejects when the port is taken. */
export async function startServer(app: Express, address: { host: string; port: number }): Promise<ApiServer> {
  let closing = false;
  const server = createServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
  });
  server.on("request", (_req, res) => {
    if (closing) res.shouldKeepAlive = false;
  });
  server.on("request", app);
  // A body that is announced is asked for only once its sender was let in; other expectations are no reason to refuse.
  server.on("checkContinue", (req, res) => server.emit("request", req, res));
  server.on("checkExpectation", (req, res) => server.emit("request", req, res));
  refuseConnect(server);

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(address.port, address.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      closing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      // Connections that fall idle after their last answer would otherwise be waited for.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      await closed;
      clearInterval(sweep);
    },
  };
}

/** CONNECT asks for a tunnel; without this Node would close the connection without a word. */
function refuseConnect(server: Server): void {
  server.on("connect", (_req, socket) => {
    const body = JSON.stringify({ code: "not_found", status: 404, title: STATUS_CODES[404], detail: "This is no proxy." });
    socket.on("error", () => {});
    socket.end(
      `HTTP/1.1 404 Not Found\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}
