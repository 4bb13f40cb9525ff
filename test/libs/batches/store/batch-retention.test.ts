// What is left of a batch that was done long ago, and that getting there loses nothing, whatever stops it.
import { beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "#process/clock.ts";
import { makeBatchStore } from "#batches/store/batch-store.ts";
import { makeApplyRetention } from "#batches/apply-retention.ts";
import { expectResponse } from "../../../support/responses.ts";
import { patientCliOn } from "../../../support/cli.ts";
import { until } from "../../../support/until.ts";
import { useApi, useWorld } from "../../../support/use-api.ts";
import { testLog } from "../../../support/world.ts";

const { world, clan: caller } = await useApi({ worker: true });

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
const records = () => world.database.db().collection<any>("batches");
const age = (batchId: string, days: number) =>
  records().updateOne({ _id: batchId }, { $set: { finishedAt: daysAgo(days) } });
/** With the longest wait for the result, which a busy machine may need. */
const keyed = (key: string) => ({ "idempotency-key": key, prefer: "wait=30" });
const AWARDS = [{ platformId: "a", amount: 5 }, null, { platformId: "b", amount: 7 }];

async function batchIdOf(key: string): Promise<string> {
  return (await records().findOne({ clanId: caller.clanId, idempotencyKey: key }))._id;
}

test("a worker reduces an old batch to its applied count, state and key, and changes no newer batch", async () => {
  const first = expectResponse("submit-batch", await caller.submit(AWARDS, keyed("old")));
  const young = expectResponse("submit-batch", await caller.submit(AWARDS, keyed("young")));
  const [old, recent] = [await batchIdOf("old"), await batchIdOf("young")];
  await age(old, 31);
  await age(recent, 29);
  await world.startWorker({ config: { batchRetentionDays: 30 } });
  await until(async () => (await records().findOne({ _id: old })).awards === undefined);

  const again = await caller.submit(AWARDS, keyed("old"));
  expect([again.status, again.body]).toEqual([200, { applied: 2, results: [] }]);
  expect(first.applied).toBe(2);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect((await caller.submit([{ platformId: "a", amount: 6 }], keyed("old"))).status).toBe(422);
  const read = expectResponse("read-batch", await caller.get(`/batches/${old}`));
  expect(read).toMatchObject({ batchId: old, status: "done", applied: 2, results: [] });
  const { outcomes, platformIds = JSON.stringify(await records().findOne({ _id: old })) } = await records().findOne({
    _id: old,
  });
  expect(outcomes).toBeUndefined();
  expect(platformIds).not.toContain("platformId");

  expect((await caller.submit(AWARDS, keyed("young"))).body).toEqual(young);
  expect(expectResponse("read-member", await caller.get("/members/a")).xp).toBe("10");
  const cli = patientCliOn({ MONGO_URL: world.mongoUrl });
  expect((await cli.json("reconcile")).answer).toMatchObject({ differences: [] });
  expect((await cli.json("batch", "show", old)).answer).toMatchObject({ applied: 2, results: [] });
  expect((await cli.json("batch", "cancel", old)).answer.error.code).toBe("batch_done");
});

describe("old batches", async () => {
  const BATCHES = 250;
  const ids = Array.from({ length: BATCHES }, (_, index) => `bat_old${index}`);
  // Where no worker does the same beside it.
  const quiet = await useWorld();
  const stored = () => quiet.database.db().collection<any>("batches");
  const left = () => stored().countDocuments({ _id: { $in: ids }, awards: { $exists: true } });
  const deletingDetails = (retentionDays: number | null, pause = async () => {}) =>
    makeApplyRetention({
      deleteOld: makeBatchStore(quiet.database).deleteDetails,
      limit: 100,
      retentionDays,
      event: "batch.retention",
      pause,
      clock: systemClock,
      log: testLog,
    });
  beforeAll(async () => {
    const outcomes = [
      { platformId: "a", xp: 1n, rank: "Guest" },
      { platformId: null, code: "invalid_request", detail: "" },
    ];
    const facts = {
      clanId: "c",
      apiKeyId: "k",
      fingerprint: "",
      awards: [{}, {}],
      awardCount: 2,
      state: "done",
      outcomes,
    };
    const times = { createdAt: daysAgo(100), startedAt: daysAgo(100), finishedAt: daysAgo(99) };
    await stored().insertMany(ids.map((_id) => ({ _id, ...facts, ...times })));
  });

  test("are stored forever without a retention", async () => {
    expect(await deletingDetails(null)(new AbortController().signal)).toBe(0);
    expect(await left()).toBe(BATCHES);
  });

  test("are reduced in bounded steps by several concurrent workers, wherever the previous run stopped", async () => {
    const stopping = new AbortController();
    expect(await deletingDetails(90, async () => stopping.abort())(stopping.signal)).toBe(100);
    expect(await left()).toBe(BATCHES - 100);
    const { signal } = new AbortController();
    await Promise.all([deletingDetails(90)(signal), deletingDetails(90)(signal)]);
    expect(await left()).toBe(0);
    expect(await stored().countDocuments({ _id: { $in: ids }, appliedOnce: 1, outcomes: { $exists: false } })).toBe(
      BATCHES,
    );
  });

  test("are found by an index that contains no other batches", async () => {
    const old = { state: "done", awards: { $exists: true }, finishedAt: { $lt: new Date() } };
    const plan = JSON.stringify(
      (await stored().find(old).sort({ finishedAt: 1 }).explain("queryPlanner"))["queryPlanner"].winningPlan,
    );
    expect(plan).toContain("IXSCAN");
    expect(plan).not.toMatch(/COLLSCAN|"SORT"/);
  });
});
