// /metrics while MongoDB and Redis are unavailable or silent: it answers, in time, and leaves out what is not known.
import { describe, expect, onTestFinished, test } from "vitest";
import { makeProxiedWorld } from "../support/proxies.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";
import { scrape } from "../support/scrape.ts";

function start(role: "api" | "worker", urls: { MONGO_URL: string; REDIS_URL: string }): RealProcess {
  const process = startProcess(role, urls);
  onTestFinished(async () => void (await process.stop()));
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
    const { mongo, redis, config } = (await makeProxiedWorld(onTestFinished)).proxies;
    const { opsPort } = await start("api", { MONGO_URL: config.mongoUrl, REDIS_URL: config.redisUrl }).ready();
    for (const proxy of [mongo, redis]) proxy.hold();
    const startedAtMs = performance.now();
    for (let n = 0; n < 5; n += 1) expect((await scrape(opsPort)).names).toContain("clanxp_awards_total");
    // Each waits for half a second at most, and a busy machine may take as long again.
    expect(performance.now() - startedAtMs).toBeLessThan(7_500);
    for (const proxy of [mongo, redis]) proxy.release();
  });
});
