// A recovery scan that is blocked, or whose worker is killed, does not delay lost batches for long: the next one begins
// soon.
import { setTimeout as pause } from "node:timers/promises";
import { describe, test } from "vitest";
import { sendBatch } from "./load.ts";
import { startProcess } from "../support/processes.ts";
import { makeProxiedWorld } from "../support/proxies.ts";
import { scrape } from "../support/scrape.ts";
import { until } from "../support/until.ts";
import { makeWorld } from "../support/world.ts";
import { timed } from "./timed.ts";
import { violations } from "./violations.ts";

/** Longer than the pause between two scans and than the socket timeout: one scan hangs in it, and fails. */
const SILENCE_MS = 13_000;
const ENDED_WITHIN_MS = 30_000;
/** A batch without a job waits no longer, also if the worker that scans is killed. */
const WAIT_MS_MAX = 15_000;

describe.concurrent("the recovery scan", { timeout: 90_000 }, () => {
  test("that was blocked by an unresponsive MongoDB does not delay the next scan, which requeues a batch", async ({
    expect,
    onTestFinished,
  }) => {
    const { world, proxies } = await makeProxiedWorld(onTestFinished);
    const [{ clan, key }, { port }] = await Promise.all([
      world.makeClan(),
      world.startApi({ config: { redisUrl: "redis://127.0.0.1:1" } }),
    ]);
    await world.startWorker({ config: { mongoUrl: proxies.config.mongoUrl } });
    proxies.mongo.hold();
    await pause(SILENCE_MS);
    proxies.mongo.release();

    // The API has no Redis: the batch never had a job.
    const batch = { key: "b", awards: [{ platformId: "b", amount: 5 }] };
    const target = { clanId: clan.clanId, key, baseUrls: () => [`http://127.0.0.1:${port}`] };
    const { result: sent, ms } = await timed(() => sendBatch(target, batch));
    expect(ms, "in time").toBeLessThan(ENDED_WITHIN_MS);
    expect(
      await violations("sweep held up", world.database, clan.clanId, { awards: [], batches: [sent] }),
    ).toStrictEqual([]);
  });

  test("of two workers is made by one, and by the other one as soon as that is killed", async ({
    expect,
    onTestFinished,
  }) => {
    const world = await makeWorld();
    const env = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl };
    const workers = [startProcess("worker", env), startProcess("worker", env)];
    onTestFinished(async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      await world.close();
    });
    const [{ clan, key }, { port }] = await Promise.all([
      world.makeClan(),
      world.startApi({ config: { redisUrl: "redis://127.0.0.1:1" } }),
    ]);
    const ports = await Promise.all(workers.map((worker) => worker.ready()));
    const scans = () =>
      Promise.all(
        ports.map(async ({ opsPort }) => (await scrape(opsPort)).series.get("clanxp_recovery_scans_total") ?? 0),
      );
    await until(async () => (await scans()).some((count) => count >= 3));
    const scanning = (await scans()).map((count, index) => (count > 0 ? workers[index] : undefined)).filter(Boolean);
    expect(scanning).toHaveLength(1);
    for (const scanner of scanning) if (scanner) process.kill(scanner.pid, "SIGKILL");

    // The API has no Redis: the batch never had a job.
    const batch = { key: "b", awards: [{ platformId: "b", amount: 5 }] };
    const target = { clanId: clan.clanId, key, baseUrls: () => [`http://127.0.0.1:${port}`] };
    const { result: sent, ms } = await timed(() => sendBatch(target, batch));
    expect(ms, "in time").toBeLessThan(WAIT_MS_MAX);
    expect(
      await violations("killed scanner", world.database, clan.clanId, { awards: [], batches: [sent] }),
    ).toStrictEqual([]);
  });
});
