// The record of a batch is gone although its awards were applied: an operator deleted it, or a failover rolled it back.
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "#process/clock.ts";
import { makeCounters } from "#telemetry/metrics/counters.ts";
import { makeRunBatch } from "#batches/run-batch.ts";
import { expectResponse } from "../../support/responses.ts";
import { makeClanCaller, PATIENT, type ClanCaller } from "../../support/clan-caller.ts";
import { patientCliOn } from "../../support/cli.ts";
import { makeEntry } from "../../support/entry.ts";
import { makeWorld, type World } from "../../support/world.ts";

let world: World;
let clan: ClanCaller;
beforeEach(async () => {
  world = await makeWorld();
  clan = await makeClanCaller(world, (await world.startApi()).port);
});
afterEach(() => world.close());

const KEY = { ...PATIENT, "idempotency-key": "k" };
const awards = [{ platformId: "a", amount: 5 }, { platformId: "b", amount: 6 }, { platformId: "a", amount: 7 }, null];
const records = () => world.database.db().collection<{ _id: string }>("batches");
const entries = () => world.database.db().collection("ledger").countDocuments();

async function loseRecord(): Promise<void> {
  expect((await records().deleteMany({})).deletedCount).toBe(1);
  await world.emptyRedis();
}

test("a batch that is accepted again after its record was lost is applied once, with the first results, whatever the rules are now", async () => {
  await world.startWorker();
  const first = expectResponse("submit-batch", await clan.submit(awards, KEY));
  await loseRecord();
  await clan.change({ autoClan: false, amountMax: 6 });
  expect(expectResponse("submit-batch", await clan.submit(awards, KEY))).toStrictEqual(first);
  expect(await entries()).toBe(3);
  const { answer } = await patientCliOn({ MONGO_URL: world.mongoUrl }).json("reconcile");
  expect(answer.differences).toStrictEqual([]);

  const another = await clan.submit(awards, { ...KEY, "idempotency-key": "another" });
  const codes = expectResponse("submit-batch", another).results.map(({ error }: any) => error?.code);
  expect(codes).toStrictEqual(["member_not_found", "member_not_found", "invalid_request", "invalid_request"]);
});

test("other awards under the idempotency key of a lost record are another batch", async () => {
  await world.startWorker();
  await clan.submit(awards, KEY);
  await loseRecord();
  expect(expectResponse("submit-batch", await clan.submit(awards.slice(0, 2), KEY)).applied).toBe(2);
  expect(await entries()).toBe(5);
});

test("a record that is lost while its batch runs is logged as an error, and the run fails", async () => {
  const { batchId } = expectResponse("submit-batch", await clan.submit(awards, { prefer: "respond-async" }), 202);
  const logged: object[] = [];
  const runBatch = makeRunBatch({
    batches: world.batches,
    committer: {
      async submit(award) {
        await records().deleteMany({});
        return { kind: "applied", entry: makeEntry(award) };
      },
    },
    clock: systemClock,
    meter: makeCounters(),
    log: { debug() {}, info() {}, warn() {}, error: (fields, event) => logged.push({ ...fields, event }) },
  });
  await expect(runBatch(batchId)).rejects.toMatchObject({ code: "internal" });
  expect(logged).toStrictEqual([{ batchId, clanId: clan.clanId, applied: 3, event: "batch.record_lost" }]);
  expect(await runBatch(batchId)).toBeNull();
});
