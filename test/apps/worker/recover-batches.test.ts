import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scanWhileClaimed } from "../../../apps/worker/scan-while-claimed.ts";
import { makeJobQueue, type JobQueueControl } from "#queue/job-queue.ts";
import { QUEUE_NAME } from "#queue/bounds.ts";
import { makeScannerClaim } from "#redis/scanner-claim.ts";
import { makeCounters } from "#telemetry/metrics/counters.ts";
import { systemClock } from "#process/clock.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { RECOVERY_AGE_MS, RECOVERY_EVERY_MS } from "#batches/bounds.ts";
import { makeRecoverBatches, type RecoverBatches } from "#batches/recover-batches.ts";
import { openProxies, type Proxies } from "../../support/proxies.ts";
import { jobStates } from "../../support/batch-jobs.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { makeWorld, openTestRedis, testLog, type World } from "../../support/world.ts";

let world: World;
let clan: ClanCaller;
let proxies: Proxies;
let redis: ReturnType<typeof openTestRedis>;
let queue: JobQueueControl;
let recoverBatches: RecoverBatches;
beforeEach(async () => {
  world = await makeWorld();
  clan = await makeClanCaller(world, (await world.startApi()).port);
  proxies = await openProxies(world);
  // A pause of this process must not count as one of Redis.
  redis = openTestRedis(proxies.config.redisUrl);
  await new Promise((resolve) => redis.once("ready", resolve));
  queue = makeJobQueue({ redis, namespace: redisNamespace(world.mongoUrl), log: testLog });
  recoverBatches = makeRecoverBatches({ batches: world.batches, queue, clock: systemClock, log: testLog });
});
afterEach(async () => {
  await queue.close();
  redis.disconnect();
  await proxies.close();
  await world.close();
});

async function accept(count: number): Promise<string[]> {
  const sent = Array.from({ length: count }, () =>
    clan.submit([{ platformId: "m", amount: 1 }], { prefer: "respond-async" }),
  );
  const batchIds = (await Promise.all(sent)).map(({ status, body }) => {
    expect(status).toBe(202);
    return body.batchId;
  });
  // A job that Redis has not added within a second is left to the scan.
  await recoverBatches({ ageMs: 0 });
  return batchIds;
}

test("the recovery scan uses the same number of Redis calls for many waiting batches as for few", async () => {
  const commandsOfScan = async (): Promise<number> => {
    const before = proxies.redis.passed("there");
    expect((await recoverBatches({ ageMs: 0 })).revived).toBe(0);
    return proxies.redis.passed("there") - before;
  };
  await accept(2);
  await commandsOfScan();
  const aboutFew = await commandsOfScan();
  await accept(98);
  expect(await commandsOfScan()).toBe(aboutFew);
});

test("the recovery scan requeues a batch if Redis lost its place in the queue, but not its job", async () => {
  const batchIds = await accept(3);
  await redis.del(`${redisNamespace(world.mongoUrl)}:${QUEUE_NAME}:prioritized`);
  expect(await jobStates(world, batchIds)).toStrictEqual(["unknown", "unknown", "unknown"]);
  expect(await recoverBatches({ ageMs: 0 })).toStrictEqual({ unfinished: 3, revived: 3 });
  expect(await jobStates(world, batchIds)).toStrictEqual(["prioritized", "prioritized", "prioritized"]);
});

test("a batch from a process whose clock is ahead waits no longer than any other", async () => {
  let elapsedMs = 0;
  const clock = { now: () => systemClock.now(), monotonicMs: () => elapsedMs, agingMs: () => elapsedMs };
  recoverBatches = makeRecoverBatches({ batches: world.batches, queue, clock, log: testLog });
  const [soon = "", late = ""] = await accept(2);
  await world.emptyRedis();
  const records = world.database.db().collection<{ _id: string }>("batches");
  for (const [batchId, aheadMs] of [
    [soon, 1_000],
    [late, 3_600_000],
  ] as const) {
    await records.updateOne({ _id: batchId }, { $set: { createdAt: new Date(Date.now() + aheadMs) } });
  }
  const age = { ageMs: 60_000 };
  expect(await recoverBatches(age)).toStrictEqual({ unfinished: 2, revived: 0 });
  elapsedMs = 59_999;
  expect(await recoverBatches(age)).toStrictEqual({ unfinished: 2, revived: 0 });
  elapsedMs = 60_000;
  expect(await recoverBatches(age)).toStrictEqual({ unfinished: 2, revived: 2 });
});

const STEP_MS = 50;
/** A pause of this process or of Redis says nothing about the workers: it counts as one step, however long it is. */
const STEP_MS_MAX = 2 * STEP_MS;

/** Of two workers on one Redis: `fault` is what becomes of the one that scans. Resolves once the other one scans. */
async function handOver(fault: "fails" | "hangs" | "crashes" | "stops"): Promise<void> {
  const scans: string[] = [];
  const never = new Promise<never>(() => {});
  let isFaulty = false;
  const start = (workerId: string) => {
    const claim = makeScannerClaim({ redis, namespace: `${redisNamespace(world.mongoUrl)}:${fault}`, workerId });
    const faultOf = () => (isFaulty && workerId === "first" ? fault : null);
    return scanWhileClaimed({
      async recover() {
        scans.push(workerId);
        if (faultOf() === "fails") throw new Error("MongoDB does not respond");
        if (faultOf()) await never;
        return { unfinished: 0, revived: 0 };
      },
      claim: { ...claim, take: () => (faultOf() === "crashes" ? never : claim.take()) },
      clock: systemClock,
      meter: makeCounters(),
      log: testLog,
    });
  };
  const first = start("first");
  await until(() => scans.length === 1);
  const second = start("second");
  await until(() => scans.length === 3);
  expect(scans).toStrictEqual(["first", "first", "first"]);
  if (fault === "stops") await first.stop();
  isFaulty = true;
  let waitedMs = 0;
  while (scans.at(-1) !== "second") {
    const sinceMs = performance.now();
    await redis.ping();
    await pause(STEP_MS);
    waitedMs += Math.min(performance.now() - sinceMs, STEP_MS_MAX);
  }
  // Before the batch continues, it may need to be old enough, and another scan.
  if (fault !== "hangs") expect(waitedMs).toBeLessThan(15_000 - RECOVERY_AGE_MS - RECOVERY_EVERY_MS);
  await second.stop();
  if (fault === "fails") await first.stop();
}

test("one of several workers scans, and another one if it crashes or stops, or if its scans fail or do not end", async () => {
  await Promise.all((["fails", "hangs", "crashes", "stops"] as const).map(handOver));
});
