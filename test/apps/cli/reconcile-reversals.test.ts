// reconcile: a reversal that is not what its award asks for is found, among however many.
import { expect, test } from "vitest";
import { REVERSALS_PER_CHECK } from "#operations/bounds.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { patientCliOn } from "../../support/cli.ts";
import { reversalsOf } from "../../support/reversals.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi({ worker: true });
const BEFORE = "2020-01-01T00:00:00Z";

test("reconcile detects each reversal that does not match its award, and a second reversal of an award", async () => {
  const caller = await makeClanCaller(world, port, {}, ["award", "read", "reverse"]);
  const { clanId } = caller;
  const differences = async (): Promise<any[]> =>
    (await patientCliOn({ MONGO_URL: world.mongoUrl }).json("reconcile")).answer.differences;
  for (const platformId of ["amount", "misnamed", "nothing", "twice"])
    for (let times = 0; times < 2; times += 1) await caller.award(platformId, { amount: 50 });
  // More reversals of one member than are compared together.
  const ones = Array.from({ length: REVERSALS_PER_CHECK }, () => ({ platformId: "many", amount: 1 }));
  const { body: batch } = await caller.submit(ones, { prefer: "respond-async" });
  await until(async () => (await caller.get(`/batches/${batch.batchId}`)).body.status === "done");
  await caller.award("many", { amount: 1 });
  const [key] = await world.keys.listOfClan(clanId);
  const counts = await reversalsOf(caller).reverseNow({ keyId: key?.keyId, from: BEFORE });
  expect(counts).toMatchObject({ reversed: 8 + REVERSALS_PER_CHECK + 1 });
  // Every process projects what it holds of the clan before it lists the members.
  await caller.get("/members");
  await until(async () => (await differences()).length === 0);

  // Anything may be written manually, so the collection is used without its type.
  const ledger = world.database.db().collection<any>("ledger");
  const entry = (platformId: string, seq: number) => ({ _id: { clanId, platformId, seq } });
  const last = 2 * (REVERSALS_PER_CHECK + 1);
  await ledger.updateOne(entry("amount", 3), { $inc: { amount: 1 } });
  // Without the number of its award, as entries were stored at first: no difference.
  await ledger.updateOne(entry("amount", 4), { $unset: { reversesSeq: "" } });
  await ledger.updateOne(entry("many", last), { $inc: { amount: -1 }, $unset: { reversesSeq: "" } });
  // Entry 4 reverses entry 1, entry 3 reverses entry 2.
  await ledger.updateOne(entry("misnamed", 4), { $set: { reversesSeq: 2 } });
  await ledger.updateOne(entry("nothing", 4), { $set: { reversesSeq: 3 } });
  const { _id: _, ...twin } = await ledger.findOne(entry("twice", 4));
  // The index forbids it.
  await ledger.dropIndex("_id.clanId_1__id.platformId_1_key_1");
  await ledger.insertOne({ ...entry("twice", 5), ...twin, applied: 0n, at: new Date() });

  const expected = [
    { kind: "key_twice", platformId: "twice", seq: 5 },
    { kind: "reversal_amount", platformId: "amount", seq: 3 },
    { kind: "reversal_amount", platformId: "many", seq: last },
    { kind: "reversal_misnamed", platformId: "misnamed", seq: 4 },
    { kind: "reversal_of_nothing", platformId: "nothing", seq: 4 },
    { kind: "reversal_twice", platformId: "twice", seq: 4 },
  ];
  expect(await differences()).toEqual(
    expected.map((difference) => ({ ...difference, clanId, detail: expect.any(String) })),
  );
});
