// What is left of a reversal that was done long ago: enough for a retry, and what it did.
import { expect, test } from "vitest";
import { makeReversalStore } from "#reversals/store/reversal-store.ts";
import { expectResponse, expectProblem } from "../../../support/responses.ts";
import { makeClanCaller } from "../../../support/clan-caller.ts";
import { reversalsOf } from "../../../support/reversals.ts";
import { until } from "../../../support/until.ts";
import { useWorld } from "../../../support/use-api.ts";
import { makeWorld } from "../../../support/world.ts";

const world = await useWorld();
const [api] = await Promise.all([world.startApi(), world.startWorker()]);
const clan = await makeClanCaller(world, api.port, {}, ["award", "read", "reverse"]);
const reversals = reversalsOf(clan);

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
const records = () => world.database.db().collection<any>("reversals");
const keyed = (key: string) => ({ "idempotency-key": key });

async function doneReversal(by: object, days: number, headers = {}): Promise<string> {
  const reversalId = await reversals.reverse(by, "a mistake of m", headers);
  await until(async () => (await reversals.read(reversalId)).status === "done");
  await records().updateOne({ _id: reversalId }, { $set: { finishedAt: daysAgo(days) } });
  return reversalId;
}

test("a worker reduces an old reversal to its key and counts, deletes one without a key, and keeps newer ones", async () => {
  const by = { platformId: "m", from: "2020-01-01T00:00:00Z" };
  expectResponse("apply-award", await clan.award("m", { amount: 100 }));
  const old = await doneReversal(by, 31, keyed("old"));
  const keyless = await doneReversal(by, 31);
  const young = await doneReversal(by, 29, keyed("young"));
  expectResponse("apply-award", await clan.award("m", { amount: 7 }));
  await world.startWorker({ config: { reversalRetentionDays: 30 } });
  const whole = { _id: { $in: [old, keyless] }, selection: { $exists: true } };
  // As the API reads them.
  await until(async () => (await records().countDocuments(whole, { readConcern: { level: "majority" } })) === 0);

  const again = await clan.post("/reversals", { by, reason: "a mistake of m" }, keyed("old"));
  expect([again.status, again.body, again.headers.get("idempotency-replayed")]).toStrictEqual([
    202,
    { reversalId: old, status: "done" },
    "true",
  ]);
  expectProblem(await clan.post("/reversals", { by, reason: "another" }, keyed("old")), 422, "idempotency_key_reused");
  expectProblem(await clan.get(`/reversals/${old}`), 404, "reversal_not_found");
  const left = await records().find().toArray();
  expect(new Set(left.map(({ _id }) => _id))).toStrictEqual(new Set([old, young]));
  expect(JSON.stringify(left.find(({ _id }) => _id === old))).not.toMatch(/platformId|mistake/);
  expect(left.find(({ _id }) => _id === old)).toMatchObject({ selected: 1, reversed: 1, state: "done" });
  expect(await reversals.read(young)).toMatchObject({
    reversalId: young,
    status: "done",
    by,
    reason: "a mistake of m",
  });
  // The award from before is reversed once, the one behind it never.
  expect(expectResponse("read-member", await clan.get("/members/m")).xp).toBe("7");
  const { entries } = expectResponse("read-ledger", await clan.get("/members/m/ledger"));
  expect(entries.map(({ amount }: { amount: string }) => amount)).toStrictEqual(["7", "-100", "100"]);
});

test("old reversals are found in bounded steps by an index of unprocessed reversals only", async ({
  onTestFinished,
}) => {
  // Where no worker does the same beside it.
  const quiet = await makeWorld();
  onTestFinished(() => quiet.close());
  const stored = quiet.database.db().collection<any>("reversals");
  const facts = {
    clanId: "c",
    apiKeyId: "k",
    fingerprint: "",
    state: "done",
    reason: null,
    position: 0,
    selected: 0,
    reversed: 0,
    skipped: 0,
  };
  const selection = { kind: "award", clanId: "c", platformId: "m", seq: 1 };
  const times = { createdAt: daysAgo(400), startedAt: daysAgo(400), finishedAt: daysAgo(400) };
  const ids = Array.from({ length: 5 }, (_, index) => `rev_old${index}`);
  await stored.insertMany(ids.map((_id) => ({ _id, ...facts, by: {}, selection, ...times })));
  const store = makeReversalStore(quiet.database, 1);
  const olderThanMs = 100 * 86_400_000;
  expect(await store.deleteDetails({ olderThanMs, limit: 3 })).toBe(3);
  expect(await store.deleteDetails({ olderThanMs, limit: 3 })).toBe(2);
  expect(await store.deleteDetails({ olderThanMs, limit: 3 })).toBe(0);
  expect(await stored.countDocuments()).toBe(0);
  const old = { state: "done", selection: { $exists: true }, finishedAt: { $lt: daysAgo(100) } };
  const plan = JSON.stringify(
    (await stored.find(old).sort({ finishedAt: 1 }).explain("queryPlanner"))["queryPlanner"].winningPlan,
  );
  expect(plan).toContain("IXSCAN");
  expect(plan).not.toMatch(/COLLSCAN|"SORT"/);
});
