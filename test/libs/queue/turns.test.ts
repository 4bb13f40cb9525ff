// Workers take turns between clans: the backlog of one clan does not hold up another clan's batch.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AWARDS_PER_TURN, BATCH_AWARDS_MIN, BATCHES_AT_ONCE, TURN_MAX } from "#queue/bounds.ts";
import { makeJobQueue, type JobQueueControl } from "#queue/job-queue.ts";
import { openTurns } from "#queue/turns.ts";
import { systemClock } from "#process/clock.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { makeRecoverBatches } from "#batches/recover-batches.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { jobPriorities } from "../../support/batch-jobs.ts";
import { makeWorld, openTestRedis, testLog, type World } from "../../support/world.ts";
import { until } from "../../support/until.ts";

const BATCHES_PER_TURN = AWARDS_PER_TURN / BATCH_AWARDS_MIN;
const BACKLOG = 3 * BATCHES_PER_TURN;

let world: World;
let port: number;
let redis: ReturnType<typeof openTestRedis>;
let queue: JobQueueControl;
beforeEach(async () => {
  world = await makeWorld();
  ({ port } = await world.startApi());
  // Without a deadline for commands, which a busy machine may reach.
  redis = openTestRedis(world.redisUrl);
  await new Promise((resolve) => redis.once("ready", resolve));
  queue = makeJobQueue({ redis, namespace: redisNamespace(world.mongoUrl), log: testLog });
});
afterEach(async () => {
  await queue.close();
  redis.disconnect();
  await world.close();
});

vi.setConfig({ testTimeout: 90_000 });

const newClan = (): Promise<ClanCaller> => makeClanCaller(world, port);

const recover = () =>
  makeRecoverBatches({ batches: world.batches, queue, clock: systemClock, log: testLog })({ ageMs: 0 });

/**
 * One after the other, and with its key again where the service reaches a deadline on a busy machine: few jobs are not
 * added then, and those are added in the end.
 */
async function accept(clan: ClanCaller, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const headers = { prefer: "respond-async", "idempotency-key": `batch-${index}` };
    let status = 503;
    while (status === 503) ({ status } = await clan.submit([{ platformId: "m", amount: 1 }], headers));
    expect(status).toBe(202);
  }
  await recover();
}

/** The clans' batches in the order in which they were begun, once all of them were. */
async function begun(): Promise<string[]> {
  const records = world.database.db().collection<{ clanId: string; startedAt: Date | null }>("batches");
  await until(async () => (await records.countDocuments({ startedAt: null })) === 0);
  return (
    await records
      .find({}, { projection: { clanId: 1 } })
      .sort({ startedAt: 1 })
      .toArray()
  ).map(({ clanId }) => clanId);
}

test("a batch after the backlogs of two other clans starts after one turn of each, and those two alternate", async () => {
  const [first, second, prompt] = [await newClan(), await newClan(), await newClan()];
  await accept(first, BACKLOG);
  await accept(second, BACKLOG);
  await accept(prompt, 1);
  await world.startWorker();
  const order = await begun();
  expect(order).toHaveLength(2 * BACKLOG + 1);
  // One turn of each comes before it, and the batches that a worker runs at the same time may overtake it.
  expect(order.indexOf(prompt.clanId)).toBeLessThanOrEqual(2 * BATCHES_PER_TURN + BATCHES_AT_ONCE);
  // A turn of the first clan, one of the second, and the batches that a worker runs at the same time.
  expect(order.indexOf(second.clanId)).toBeLessThanOrEqual(BATCHES_PER_TURN + BATCHES_AT_ONCE);
  expect(order.lastIndexOf(first.clanId)).toBeGreaterThan(order.length - BATCHES_PER_TURN - BATCHES_AT_ONCE - 1);
});

test("a batch uses a turn in proportion to its awards, and a clan that arrives later begins at the current turn", async () => {
  const add = async (batchId: string, clanId: string, awards: number): Promise<number | undefined> => {
    // As `add`, which has a deadline.
    await queue.ensure([{ batchId, clanId, awards }]);
    return (await jobPriorities(world, [batchId]))[0];
  };
  expect(await add("full-1", "full", AWARDS_PER_TURN)).toBe(1);
  expect(await add("full-2", "full", AWARDS_PER_TURN)).toBe(2);
  expect(await add("small-1", "small", 1)).toBe(1);
  expect(await add("small-2", "small", AWARDS_PER_TURN - BATCH_AWARDS_MIN)).toBe(1);
  expect(await add("small-3", "small", 1)).toBe(2);
  const turns = openTurns({ redis, namespace: redisNamespace(world.mongoUrl) });
  await turns.noteServed(7);
  await turns.noteServed(5);
  expect(await add("late-1", "late", AWARDS_PER_TURN)).toBe(7);
  expect(await add("full-3", "full", 1)).toBe(7);
  await turns.noteServed(TURN_MAX);
  expect(await add("full-4", "full", AWARDS_PER_TURN)).toBe(TURN_MAX);
  expect(await add("full-5", "full", 1)).toBe(1);
  expect(await add("late-2", "late", 1)).toBe(1);
});
