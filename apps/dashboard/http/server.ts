// The HTTP server of the dashboard, with time limits. Closing it waits for requests in progress.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A browser sends a request immediately; a slower caller would occupy a connection. */
const REQUEST_MS_MAX = 15_000;
const HEADERS_MS_MAX = 10_000;
const KEEP_ALIVE_MS = 30_000;
/** Each browser opens a few connections. */
const CONNECTIONS_MAX = 1_000;
const HEADERS_MAX_BYTES = 16 * 1024;
/** Requests that are still in progress after this time are aborted. */
const DRAIN_MS = 3_000;

export type Listening = { port: number; close(): Promise<void> };

/** Listens on `port` (0: a free one). Rejects if the port is in use. */
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
