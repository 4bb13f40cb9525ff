// /metrics while MongoDB and Redis are unavailable or silent: it answers, in time, and leaves out what is not known.
import { afterAll, describe, expect, test, vi } from "vitest";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { useWorld } from "../support/use-api.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";
import { scrape } from "../support/scrape.ts";

// Processes are started here, and a busy machine takes its time for that.
vi.setConfig({ hookTimeout: 120_000 });

const world = await useWorld();
const processes: RealProcess[] = [];
afterAll(() => Promise.all(processes.map((process) => process.stop())));

function start(role: "api" | "worker", urls: { MONGO_URL: string; REDIS_URL: string }): RealProcess {
  const process = startProcess(role, urls);
  processes.push(process);
  return process;
}

describe("while MongoDB and Redis are unavailable", { timeout: 120_000 }, () => {
  test("metrics are returned in time", async () => {
    const nobody = { MONGO_URL: "mongodb://127.0.0.1:1/x?directConnection=true", REDIS_URL: "redis://127.0.0.1:1" };
    const started = (["api", "worker"] as const).map((role) => start(role, nobody));
    for (const { opsPort } of await Promise.all(started.map((one) => one.ports()))) {
      const { names, series } = await scrape(opsPort);
      expect(names).toContain("clanxp_batches_waiting");
      // A value that is not known is not reported.
      expect(series.has("clanxp_batches_waiting")).toBe(false);
      expect(series.has("clanxp_queue_paused")).toBe(false);
      expect(series.get("clanxp_recovery_scans_total")).toBe(0);
    }
  });

  test("metrics are returned even if both servers do not respond but keep connections open", async () => {
    const [mongo, redis] = [new URL(world.mongoUrl), new URL(world.redisUrl)];
    const proxies = await Promise.all(
      [mongo, redis].map(({ hostname, port }) => startTcpProxy({ host: hostname, port: Number(port) })),
    );
    [mongo, redis].forEach((url, index) => (url.port = String(proxies[index]?.port)));
    mongo.searchParams.set("directConnection", "true");
    mongo.searchParams.delete("replicaSet");
    const { opsPort } = await start("api", { MONGO_URL: mongo.href, REDIS_URL: redis.href }).ready();
    for (const proxy of proxies) proxy.hold();
    const startedAtMs = performance.now();
    for (let n = 0; n < 5; n += 1) expect((await scrape(opsPort)).names).toContain("clanxp_awards_total");
    // Each waits for half a second at most, and a busy machine may take as long again.
    expect(performance.now() - startedAtMs).toBeLessThan(7_500);
    for (const proxy of proxies) proxy.release();
    await processes.pop()?.stop();
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });
});
