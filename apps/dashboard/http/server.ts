// The HTTP server of the dashboard: bounded in time, and closed once requests under way were answered.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A browser sends a request immediately; a slower caller holds a connection for nothing. */
const REQUEST_MS_MAX = 15_000;
const HEADERS_MS_MAX = 10_000;
const KEEP_ALIVE_MS = 30_000;
/** Browsers open a handful each. */
const CONNECTIONS_MAX = 1_000;
const HEADERS_MAX_BYTES = 16 * 1024;
/** What is under way after so long is cut off. */
const DRAIN_MS = 3_000;

export type Listening = { port: number; close(): Promise<void> };

/** Listens on `port` (0: a free one). Rejects when it is taken. */
export async function listen(
  listener: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createServer({ maxHeaderSize: HEADERS_MAX_BYTES }, listener);
  server.requestTimeout = REQUEST_MS_MAX;
  server.headersTimeout = HEADERS_MS_MAX;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
