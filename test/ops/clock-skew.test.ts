// A process whose clock is wrong reports it. It blames no clock for a slow reply. With real processes: test/faults/clock.
import { expect, onTestFinished, test } from "vitest";
import { makeJobQueue } from "#queue/job-queue.ts";
import { inspectRedis } from "#redis/inspect-redis.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { makeClockSkew } from "#process/clock-skew.ts";
import { systemClock } from "#process/clock.ts";
import { inspectMongo } from "#operations/store/inspect-mongo.ts";
import { makeWorld, openTestRedis, testLog } from "../support/world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** `aheadMs`: of the clock of this process. `replyMs`: how long MongoDB takes to read its clock, and again to reply. */
function skewOf(world: { aheadMs: number; replyMs: number }) {
  let elapsedMs = 1e12;
  const warnings: number[] = [];
  const skew = makeClockSkew({
    async ping() {
      elapsedMs += world.replyMs;
      const time = new Date(elapsedMs);
      elapsedMs += world.replyMs;
      return time;
    },
    clock: { now: () => new Date(elapsedMs + world.aheadMs), monotonicMs: () => elapsedMs, agingMs: () => elapsedMs },
    log: { ...testLog, warn: (fields) => void warnings.push("aheadMs" in fields ? Number(fields.aheadMs) : NaN) },
  });
  return { ...skew, warnings, pass: (ms: number) => void (elapsedMs += ms) };
}

test("a clock that has not been compared yet is not ready", async () => {
  await expect(skewOf({ aheadMs: 0, replyMs: 1 }).check()).rejects.toThrow("not compared");
});

test.each([
  [0, "ready"],
  [5 * MINUTE_MS, "ready"],
  [-5 * MINUTE_MS, "ready"],
  [5 * MINUTE_MS + 1_000, "the clock of this process is 301 s ahead of MongoDB's"],
  [-90 * MINUTE_MS, "the clock of this process is 5400 s behind MongoDB's"],
])("a clock that is %i ms ahead of MongoDB's is %s", async (aheadMs, expected) => {
  const skew = skewOf({ aheadMs, replyMs: 0 });
  await skew.checkMongo();
  expect(skew.aheadMs()).toBe(aheadMs);
  if (expected === "ready") await skew.check();
  else await expect(skew.check()).rejects.toThrow(expected);
});

test("a reply that takes ten minutes is not a wrong clock, whichever part of the way was slow", async () => {
  for (const aheadMs of [0, 5 * MINUTE_MS, -5 * MINUTE_MS]) {
    const skew = skewOf({ aheadMs, replyMs: 5 * MINUTE_MS });
    await skew.checkMongo();
    expect(skew.aheadMs()).toBe(0);
    expect(skew.warnings).toStrictEqual([]);
  }
});

test("a clock that is wrong by more than a minute is logged once a minute", async () => {
  const skew = skewOf({ aheadMs: -61_000, replyMs: 0 });
  for (let second = 0; second < 150; second += 1) {
    await skew.checkMongo();
    await skew.check();
    skew.pass(1_000);
  }
  expect(skew.warnings).toStrictEqual([-61_000, -61_000, -61_000]);
});

test("clanxp doctor blames no clock for a slow reply either", async () => {
  const world = await makeWorld();
  const redis = openTestRedis(world.redisUrl);
  const namespace = redisNamespace(world.mongoUrl);
  const queue = makeJobQueue({ redis, namespace, log: testLog });
  onTestFinished(async () => {
    await queue.close();
    redis.disconnect();
    await world.close();
  });
  /** Of a process that receives each reply an hour after its request. */
  const slowClock = (aheadMs: number): typeof systemClock => {
    let reads = 0;
    return { ...systemClock, now: () => new Date(Date.now() + aheadMs + (reads++ % 2) * HOUR_MS) };
  };
  for (const [aheadMs, expectedMin] of [
    [0, 0],
    [-HOUR_MS, 0],
    [HOUR_MS, -60],
    [-2 * HOUR_MS, 60],
  ] as const) {
    const ofMongo = await inspectMongo(world.database, slowClock(aheadMs));
    const ofRedis = await inspectRedis({ redis, namespace, queue, clock: slowClock(aheadMs) });
    const seenMin = [ofMongo, ofRedis].map((facts) => Math.round(Number(facts.aheadMs) / MINUTE_MS) + 0);
    expect({ aheadMs, seenMin }).toStrictEqual({ aheadMs, seenMin: [expectedMin, expectedMin] });
  }
});
