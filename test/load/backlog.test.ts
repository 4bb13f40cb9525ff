// Batches that wait in their thousands must not keep the callers of single awards waiting. The margin is wide here;
// `npm run bench:backlog` measures.
import { describe, expect, onTestFinished, test } from "vitest";
import { startProcess } from "../support/processes.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { makeWorld } from "../support/world.ts";
import { measureBacklog } from "../../bench/measure-backlog.ts";
import { testActor } from "../support/actor.ts";

const TIMES_MAX = 4;
/** A machine that has much else to do makes anyone wait now and then; far below a caller's patience. */
const NOISE_MS = 2_000;

describe("a backlog of 500 batches of 100 awards", { timeout: 180_000 }, () => {
  test("is processed while single awards are answered about as fast as without it", async () => {
    const world = await makeWorld();
    const env = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl };
    const [api, worker] = [startProcess("api", env), startProcess("worker", env)];
    onTestFinished(async () => {
      await Promise.all([api.stop(), worker.stop()]);
      await world.close();
    });
    const [{ port }] = await Promise.all([api.ready(), worker.ports()]);
    const { clanId, key } = await makeClanCaller(world, port);
    await world.keys.limit(key.split("_")[1] ?? "", { requestsPerSecond: null, awardsPerSecond: null }, testActor);

    const { mongoUrl, redisUrl, database } = world;
    const clan = { database, mongoUrl, redisUrl, port, clanId, key };
    const backlog = await measureBacklog({ ...clan, batches: 500, perSecond: 40, seconds: 3, rounds: 2 });
    expect(backlog.batchedPerSecond).toBeGreaterThan(0);
    const without = Math.max(backlog.without.p99, backlog.paused.p99);
    expect(backlog.working.p99).toBeLessThan(Math.max(TIMES_MAX * without, NOISE_MS));
  });
});
