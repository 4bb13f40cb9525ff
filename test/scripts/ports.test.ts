// Ports: a start must not be given a port that another start has reserved, even if nothing listens there yet. And the
// URL of what listens on a port.
import { Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { listeningUrl } from "#runtime/process/listening-url.ts";
import { startOpsServer } from "#runtime/process/ops-server.ts";
import { freePort } from "../../scripts/services/ports.ts";
import { untilReady } from "../../scripts/supervise/ready.ts";

test("a reserved port is not reserved a second time", async () => {
  const port = await freePort();
  expect(await freePort(port)).not.toBe(port);
});

test("many concurrent reservations return different ports", async () => {
  const ports = await Promise.all(Array.from({ length: 5 }, () => freePort()));
  expect(new Set(ports).size).toBe(ports.length);
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
  const health = { status: () => "ready" as const, report: () => ({}), isUp: () => true, stop: () => {} };
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
