// Ports: a start must not be given a port that another start has reserved, even if nothing listens there yet. And the
// URL of what listens on a port.
import { createServer } from "node:net";
import { Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { listeningUrl } from "#process/listening-url.ts";
import { startOpsServer } from "#process/ops-server.ts";
import { freePort } from "../../scripts/services/ports.ts";
import { choosePorts } from "../../scripts/supervise/choose-ports.ts";
import { readConfig } from "../../scripts/supervise/config.ts";
import { untilReady } from "../../scripts/supervise/ready.ts";

test("a reserved port is not reserved a second time", async () => {
  const port = await freePort();
  expect(await freePort(port)).not.toBe(port);
});

test("many concurrent reservations return different ports", async () => {
  const ports = await Promise.all(Array.from({ length: 5 }, () => freePort()));
  expect(new Set(ports).size).toBe(ports.length);
});

test("the port for health and metrics is another one if the usual one is in use, unless it is set", async () => {
  const other = createServer().listen(9090, "127.0.0.1");
  // Another program of this machine may have it already.
  await new Promise((resolve) => other.once("listening", resolve).once("error", resolve));
  onTestFinished(() => void other.close());
  const PORT = String(await freePort());
  const chosen = (env: Record<string, string>) => {
    const read = readConfig({ PORT, ...env });
    return "config" in read ? choosePorts(read.config) : read;
  };
  const { opsPort } = (await chosen({})) as { opsPort: number };
  expect(opsPort).toBeGreaterThan(0);
  expect(opsPort).not.toBe(9090);
  await expect(chosen({ OPS_PORT: "9090" })).rejects.toThrow("OPS_PORT 9090 on 127.0.0.1 is in use");
});

test.each([
  ["127.0.0.1", "http://127.0.0.1:8080"],
  ["0.0.0.0", "http://127.0.0.1:8080"],
  ["::", "http://127.0.0.1:8080"],
  ["::1", "http://[::1]:8080"],
  // Also where it is ::1.
  ["localhost", "http://localhost:8080"],
])("a server that listens on %s is checked at %s", (host, url) => {
  expect(listeningUrl(host, 8080)).toBe(url);
});

test("a process is ready only if it responds itself, not if another process has its port", async () => {
  const health = {
    status: () => "ready" as const,
    report: () => ({}),
    refresh: () => Promise.resolve(),
    isUp: () => true,
    stop: () => {},
  };
  const ops = await startOpsServer({ host: "127.0.0.1", port: 0, health, metrics: new Registry() });
  onTestFinished(() => ops.close());
  const url = listeningUrl("127.0.0.1", ops.port);
  const untilReadyWith = (pid: number) =>
    untilReady(
      "api",
      url,
      () => pid,
      () => {},
    );
  await untilReadyWith(process.pid);
  await expect(untilReadyWith(process.pid + 1)).rejects.toThrow(
    `Another program responds at ${url}: it has taken the port of api meanwhile.`,
  );
});
