import { describe, expect, test, type TestContext } from "vitest";
import { COMPLETED_RETENTION } from "#queue/bounds.ts";
import { expectResponse } from "../../support/responses.ts";
import { addJobs, jobStates, untilJobs } from "../../support/batch-jobs.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { makeWorld } from "../../support/world.ts";
import { testActor } from "../../support/actor.ts";
import { until } from "../../support/until.ts";

const MEMBERS = 5;
const awards = [
  ...Array.from({ length: 60 }, (_, index) => ({ platformId: `m${index % MEMBERS}`, amount: index })),
  { platformId: "/", amount: 1 },
];

/** A world of the test's own, without a worker. */
async function openClan(onTestFinished: TestContext["onTestFinished"]) {
  const world = await makeWorld();
  onTestFinished(() => world.close());
  const clan = await makeClanCaller(world, (await world.startApi()).port);
  const readBatch = async (batchId: string) => expectResponse("read-batch", await clan.get(`/batches/${batchId}`));
  const waitUntilDone = (batchId: string) => until(async () => (await readBatch(batchId)).status === "done");

  /** A batch that was accepted, and nobody has run. */
  async function accept(): Promise<string> {
    const accepted = await clan.submit(awards, { prefer: "respond-async", "idempotency-key": "k" });
    return expectResponse("submit-batch", accepted, 202).batchId;
  }

  /** Each award has one entry, each result is the entry's, and the members' XP is the sum. */
  async function expectAppliedOnce(batchId: string): Promise<void> {
    const { applied, results } = await readBatch(batchId);
    expect(applied).toBe(60);
    for (let member = 0; member < MEMBERS; member += 1) {
      const { entries } = expectResponse("read-ledger", await clan.get(`/members/m${member}/ledger?limit=200`));
      const ofMember = results.filter((result: { platformId: string }) => result.platformId === `m${member}`);
      expect(entries.map((entry: any) => [entry.xp, entry.rank, entry.batchId]).toReversed()).toStrictEqual(
        ofMember.map((result: any) => [result.xp, result.rank, batchId]),
      );
      const own = awards.filter((award) => award.platformId === `m${member}`);
      const sum = own.reduce((xp, award) => xp + award.amount, 0);
      expect(expectResponse("read-member", await clan.get(`/members/m${member}`)).xp).toBe(String(sum));
    }
  }
  return { world, clan, accept, readBatch, waitUntilDone, expectAppliedOnce };
}

describe.concurrent("each award of a batch is applied once", () => {
  test("although the batch is delivered ten times to three workers at the same time", async ({ onTestFinished }) => {
    const { world, accept, waitUntilDone, expectAppliedOnce } = await openClan(onTestFinished);
    const batchId = await accept();
    const again = Array.from({ length: 9 }, () => ({ batchId }));
    const jobIds = await addJobs(world, again);
    await Promise.all([world.startWorker(), world.startWorker(), world.startWorker()]);
    await untilJobs(world, jobIds, (states) => states.every((state) => state === "completed"));
    await waitUntilDone(batchId);
    await expectAppliedOnce(batchId);
  });

  test("with the same results although the completion was lost, and the rules changed before the batch is run again", async ({
    onTestFinished,
  }) => {
    const { world, clan, accept, readBatch, waitUntilDone, expectAppliedOnce } = await openClan(onTestFinished);
    const batchId = await accept();
    const first = await world.startWorker();
    await waitUntilDone(batchId);
    const before = await readBatch(batchId);
    await first.close();

    const lost = { $set: { state: "running", outcomes: [], finishedAt: null, createdAt: new Date(0) } };
    await world.database.db().collection<{ _id: string }>("batches").updateOne({ _id: batchId }, lost);
    const rules = { autoClan: false, ranks: [{ name: "Visitor", kind: "GUEST" } as const], xpCap: 1n };
    await world.clans.change(clan.clanId, rules, testActor);
    await addJobs(world, [{ batchId }]);
    await world.startWorker();
    await waitUntilDone(batchId);
    expect((await readBatch(batchId)).results).toStrictEqual(before.results);
    await expectAppliedOnce(batchId);
  });

  test("although its worker shuts down and another one continues", async ({ onTestFinished }) => {
    const { world, accept, readBatch, waitUntilDone, expectAppliedOnce } = await openClan(onTestFinished);
    const batchId = await accept();
    const first = await world.startWorker();
    await until(async () => (await readBatch(batchId)).status !== "queued");
    await Promise.all([first.close(), world.startWorker()]);
    await waitUntilDone(batchId);
    await expectAppliedOnce(batchId);
  });

  test("although its API key was revoked and Auto Clan was turned off after it was accepted", async ({
    onTestFinished,
  }) => {
    const { world, clan, accept } = await openClan(onTestFinished);
    const batchId = await accept();
    const [key] = await world.keys.listOfClan(clan.clanId);
    const { secret } = await world.makeKey(clan.clanId);
    await world.keys.revoke(key?.keyId ?? "", new Date(), testActor);
    await world.clans.change(clan.clanId, { autoClan: false }, testActor);
    await world.startWorker();
    await until(async () => (await clan.with(secret).get(`/batches/${batchId}`)).body.status === "done");
    expect((await clan.with(secret).get(`/batches/${batchId}`)).body.applied).toBe(60);
  });
});

describe.concurrent("a job", () => {
  test("that is missing is queued again by the recovery scan, so that an emptied Redis loses nothing", async ({
    onTestFinished,
  }) => {
    const { world, accept, waitUntilDone, expectAppliedOnce } = await openClan(onTestFinished);
    const batchId = await accept();
    await world.emptyRedis();
    // As if it had waited long enough for the recovery scan already.
    const old = { $set: { createdAt: new Date(0) } };
    await world.database.db().collection<{ _id: string }>("batches").updateOne({ _id: batchId }, old);
    await Promise.all([world.startWorker(), world.startWorker()]);
    await waitUntilDone(batchId);
    await expectAppliedOnce(batchId);
  });

  test("with more fields than this worker knows is run", async ({ onTestFinished }) => {
    const { world, clan, accept, waitUntilDone, expectAppliedOnce } = await openClan(onTestFinished);
    const batchId = await accept();
    await world.emptyRedis();
    const job = await addJobs(world, [
      { batchId, clanId: "other", awards: [{ platformId: "x", amount: 9 }], version: 0, attempts: { of: [1] } },
    ]);
    await world.startWorker();
    await untilJobs(world, job, ([state]) => state === "completed");
    await waitUntilDone(batchId);
    await expectAppliedOnce(batchId);
    expect((await clan.get("/members/x")).status).toBe(404);
  });

  test("with an unknown batch or an invalid payload does not delay other jobs", async ({ onTestFinished }) => {
    const { world, accept, waitUntilDone, expectAppliedOnce } = await openClan(onTestFinished);
    const unknown = await addJobs(world, unknownBatches(1));
    await addJobs(world, [{}, { batchId: 5 }, { batchId: "" }, { batchId: { $ne: "" } }]);
    const batchId = await accept();
    await world.startWorker();
    await waitUntilDone(batchId);
    await expectAppliedOnce(batchId);
    await untilJobs(world, unknown, ([state]) => state === "completed");
  });

  test("that has finished is removed once enough later jobs have finished", async ({ onTestFinished }) => {
    const { world } = await openClan(onTestFinished);
    const jobs = await addJobs(world, unknownBatches(COMPLETED_RETENTION.count + 10));
    await world.startWorker();
    const removed = (states: readonly string[]): number => states.filter((state) => state === "unknown").length;
    await untilJobs(world, jobs, (states) => removed(states) >= 10);
    expect(removed(await jobStates(world, jobs))).toBe(10);
  });
});

function unknownBatches(count: number): { batchId: string }[] {
  return Array.from({ length: count }, (_, index) => ({ batchId: `bat_unknown${index}` }));
}
