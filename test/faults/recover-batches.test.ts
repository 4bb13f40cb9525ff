// A recovery scan that is blocked does not delay lost batches for long: the next scan begins soon.
import { setTimeout as pause } from "node:timers/promises";
import { describe, test } from "vitest";
import { sendBatch } from "./load.ts";
import { makeProxiedWorld } from "../support/proxies.ts";
import { violations } from "./violations.ts";

/** Longer than the pause between two scans and than the socket timeout: one scan hangs in it, and fails. */
const SILENCE_MS = 13_000;
const ENDED_WITHIN_MS = 30_000;

describe("the recovery scan", { timeout: 90_000 }, () => {
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
    const startMs = performance.now();
    const sent = await sendBatch(target, batch);
    expect(performance.now() - startMs).toBeLessThan(ENDED_WITHIN_MS);
    expect(
      await violations("sweep held up", world.database, clan.clanId, { awards: [], batches: [sent] }),
    ).toStrictEqual([]);
  });
});
