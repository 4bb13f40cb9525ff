// A sweep that was held up is no reason to let lost batches wait: the next one comes soon, whatever became of it.
import { setTimeout as pause } from "node:timers/promises";
import { describe, test } from "vitest";
import { makeWorld } from "../support/world.ts";
import { sendBatch } from "./load.ts";
import { openWires } from "../support/wires.ts";
import { violations } from "./violations.ts";

/** Longer than the pause between two sweeps and than a socket's silence: one sweep hangs in it, and fails. */
const SILENCE_MS = 13_000;
const ENDED_WITHIN_MS = 30_000;

describe("the recovery scan", { timeout: 90_000 }, () => {
  test("that was blocked by a MongoDB without responses does not delay the next one: a batch that then loses its job finishes soon", async ({
    expect,
    onTestFinished,
  }) => {
    const world = await makeWorld();
    const wires = await openWires(world);
    onTestFinished(async () => {
      await world.close();
      await wires.close();
    });
    const [{ clan, key }, { port }] = await Promise.all([
      world.makeClan(),
      world.startApi({ config: { redisUrl: "redis://127.0.0.1:1" } }),
    ]);
    await world.startWorker({ config: { mongoUrl: wires.config.mongoUrl } });
    wires.mongo.hold();
    await pause(SILENCE_MS);
    wires.mongo.letGo();

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
