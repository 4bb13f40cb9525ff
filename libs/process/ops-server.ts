// The ops port: /livez, /readyz, /metrics (docs/reference/metrics-and-logs.md). For operators and orchestrators, never
// for callers.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";
import type { Health } from "#process/health.ts";

export type OpsServer = { port: number; close(): Promise<void> };

/** Listens on `port` (0: a free one). Rejects if it is in use. */
export async function startOpsServer(deps: {
  host: string;
  port: number;
  health: Health;
  metrics: Registry;
}): Promise<OpsServer> {
  const server = createServer((req, res) => {
    void answer(deps, req.url?.split("?")[0] ?? "").then(({ status, type, body }) => {
      res.writeHead(status, {
        "content-type": type,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        // Another process may have the port: scripts/supervise/ready.ts compares.
        "clanxp-pid": process.pid,
      });
      res.end(body);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // Without a host, Node listens on IPv4 alone where the system has no IPv6.
    server.listen(deps.port, deps.host === "::" ? undefined : deps.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { health, metrics }: { health: Health; metrics: Registry },
  path: string,
): Promise<{ status: number; type: string; body: string }> {
  switch (path) {
    case "/livez":
      return json(200, { status: "live" });
    case "/readyz": {
      await health.refresh();
      const status = health.status();
      return json(status === "not ready" ? 503 : 200, { status, dependencies: health.report() });
    }
    case "/metrics":
      return { status: 200, type: metrics.contentType, body: await metrics.metrics() };
    default:
      return json(404, { status: "not found", paths: ["/livez", "/readyz", "/metrics"] });
  }
}

function json(status: number, body: object): { status: number; type: string; body: string } {
  return { status, type: "application/json", body: `${JSON.stringify(body)}\n` };
}
