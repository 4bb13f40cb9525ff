// reconcile: a consistent ledger has no differences, each kind of damage is found, and awards under way are no damage.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeReconcileStore } from "#store/reconcile-store.ts";
import { DIFFERENCES_TOLD_MAX } from "#usecases/bounds.ts";
import { makeReconcile } from "#usecases/operations/reconcile.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { cliOn, type CommandLine } from "../support/cli.ts";
import { makeWorld, type World } from "../support/world.ts";
import { until } from "../support/until.ts";

let world: World;
let cli: CommandLine;
let port: number;
beforeAll(async () => {
  world = await makeWorld();
  cli = cliOn({ MONGO_URL: world.mongoUrl }); // no Redis: the ledger is in MongoDB
  [{ port }] = await Promise.all([world.startApi(), world.startWorker()]);
});
afterAll(() => world.close());

/** Anything may be written by hand, so the collections are taken without their types. */
const collection = (name: string) => world.database.db().collection<any>(name);

/** A clan with a bit of everything; `batchId` is of a finished batch. */
async function livedInClan(): Promise<ClanCaller & { batchId: string }> {
  const caller = await makeClanCaller(world, port, { xpFloor: -50n, xpCap: 1_000n });
  await caller.award("plain", { amount: 60 });
  await caller.award("plain", { amount: 70, reason: "crosses the threshold" }); // 130, a membership
  await caller.award("plain", { amount: -30 }); // 100
  await caller.award("capped", { amount: 900_000 }); // 1000
  await caller.award("floored", { amount: -900 }); // -50
  await caller.award("idle", { amount: 0 });
  for (const platformId of ["joined", "left"])
    await world.members.join({ clanId: caller.clanId, platformId }, new Date(), null);
  await cli.json("member", "remove", caller.clanId, "left");
  const { body } = await caller.submit(
    [
      { platformId: "plain", amount: 5 },
      { platformId: "no amount" },
      { platformId: "only-batch", amount: 7 },
      { platformId: "plain", amount: -1 },
    ],
    { prefer: "respond-async" },
  );
  await until(async () => (await caller.get(`/batches/${body.batchId}`)).body.status === "done");
  // An hour ago: a head that is behind its entries for so long is a difference.
  await collection("ledger").updateMany({ "_id.clanId": caller.clanId }, [
    { $set: { at: { $subtract: ["$at", 3_600_000] } } },
  ]);
  // Every process projects what it holds of the clan before it lists the members.
  await caller.get("/members");
  const reconcile = makeReconcile({ store: makeReconcileStore(world.database) });
  await until(async () => (await reconcile({ clanId: caller.clanId })).differences.length === 0);
  return { ...caller, batchId: body.batchId };
}

async function differencesOf(clanId: string): Promise<any[]> {
  const { exitCode, answer } = await cli.json("reconcile", "--clan", clanId);
  expect(exitCode).toBe(answer.differences.length === 0 ? 0 : 1);
  expect(answer.differencesTotal).toBe(answer.differences.length);
  return answer.differences;
}

describe("a consistent ledger", () => {
  test("every member, entry and batch is verified: exit 0", async () => {
    const { clanId } = await livedInClan();
    const { exitCode, answer } = await cli.json("reconcile", "--clan", clanId);
    expect(answer).toEqual({ members: 7, entries: 12, batches: 1, differences: [], differencesTotal: 0 });
    expect(exitCode).toBe(0);
    expect((await cli.run("reconcile", "--clan", clanId)).stdout).toContain("the ledger is consistent");
  });

  test("a clan with nothing in it is clean, an unknown one is exit 1", async () => {
    const { clan } = await world.makeClan();
    expect((await cli.json("reconcile", "--clan", clan.clanId)).exitCode).toBe(0);
    const { exitCode, answer } = await cli.json("reconcile", "--clan", `${clan.clanId}x`);
    expect([exitCode, answer.error.code]).toEqual([1, "clan_not_found"]);
    expect((await cli.json("reconcile", "--clan", "bad id")).exitCode).toBe(2);
  });

  test("a batch that is not done guarantees nothing yet", async () => {
    const { clanId, batchId } = await livedInClan();
    await collection("batches").updateOne(
      { _id: batchId },
      { $set: { state: "running", outcomes: [], finishedAt: null } },
    );
    expect(await differencesOf(clanId)).toEqual([]);
    await collection("batches").deleteOne({ _id: batchId, clanId });
    await collection("ledger").updateMany({ batchId }, { $unset: { batchId: "" } });
  });

  test("changing moments after every member and batch gives the same", async () => {
    const { clanId } = await livedInClan();
    const inOne = await makeReconcile({ store: makeReconcileStore(world.database) })({ clanId });
    const shown: number[] = [];
    const inMany = await makeReconcile({ store: makeReconcileStore(world.database), itemsPerSnapshot: 1 })({
      clanId,
      onProgress: (proved) => shown.push(proved),
    });
    expect(inMany).toEqual(inOne);
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.at(-1)).toBe(inOne.members + inOne.entries + inOne.batches);
    expect(await makeReconcileStore(world.database).size(clanId)).toBe(shown.at(-1));
  });

  test("a moment that MongoDB gave up is begun again on a later one", async () => {
    const { MongoServerError } = (await import("mongoose")).default.mongo;
    let tries = 0;
    const answer = await makeReconcileStore(world.database).withSnapshot(async () => {
      tries += 1;
      if (tries < 3) throw new MongoServerError({ code: 239, message: "snapshot too old" });
      return "read";
    });
    expect([answer, tries]).toEqual(["read", 3]);
  });
});

type Damage = (clanId: string, batchId: string) => Promise<unknown>;
const member = (clanId: string, platformId = "plain") => ({ _id: `${clanId}/${platformId}` });
const entry = (clanId: string, seq: number, platformId = "plain") => ({ _id: { clanId, platformId, seq } });

async function expectFound(damage: Damage, expected: readonly object[]): Promise<void> {
  const { clanId, batchId } = await livedInClan();
  expect(await differencesOf(clanId)).toEqual([]);
  await damage(clanId, batchId);
  expect(await differencesOf(clanId)).toEqual(
    expected.map((difference) => expect.objectContaining({ clanId, detail: expect.any(String), ...difference })),
  );
}

const setMember =
  (platformId: string, update: object): Damage =>
  (clanId) =>
    collection("members").updateOne(member(clanId, platformId), update);
const forgeMember =
  (platformId: string): Damage =>
  (clanId) =>
    collection("members").insertOne({
      ...member(clanId, platformId),
      clanId,
      platformId,
      xp: 5n,
      seq: 0,
      membership: null,
      appointedRank: null,
    });
const setEntry =
  (seq: number, update: object, platformId?: string): Damage =>
  (clanId) =>
    collection("ledger").updateOne(entry(clanId, seq, platformId), update);
const deleteEntry =
  (seq: number, platformId?: string): Damage =>
  (clanId) =>
    collection("ledger").deleteOne(entry(clanId, seq, platformId));
const setBatch =
  (update: object): Damage =>
  (_, batchId) =>
    collection("batches").updateOne({ _id: batchId }, update);

describe("damage to a member is found", () => {
  test.each<[string, Damage, object[]]>([
    ["XP changed", setMember("plain", { $inc: { xp: 1 } }), [{ kind: "xp_not_sum", platformId: "plain" }]],
    ["XP written as a small number", setMember("plain", { $set: { xp: 7 } }), [{ kind: "xp_not_sum" }]],
    ["XP that is no number", setMember("plain", { $set: { xp: "104" } }), [{ kind: "xp_not_sum" }]],
    ["XP without any entry", forgeMember("forged"), [{ kind: "entries_missing", platformId: "forged" }]],
    ["the only entry deleted", deleteEntry(1, "capped"), [{ kind: "entries_missing", platformId: "capped" }]],
    ["the first entry deleted", deleteEntry(1), [{ kind: "seq_broken", seq: 2 }, { kind: "xp_not_sum" }]],
    ["an entry in the middle deleted", deleteEntry(2), [{ kind: "seq_broken", seq: 3 }, { kind: "xp_not_sum" }]],
    [
      "an entry's applied changed",
      setEntry(3, { $set: { applied: 0n } }),
      [{ kind: "running_xp", seq: 3 }, { kind: "xp_not_sum" }],
    ],
    ["an entry's XP changed", setEntry(3, { $inc: { xp: 5 } }), [{ kind: "running_xp", seq: 3 }]],
    [
      "an entry's number that is no integer",
      setEntry(1, { $set: { applied: 0.5 } }, "idle"),
      [{ kind: "running_xp", seq: 1 }],
    ],
    [
      "the head's seq changed",
      setMember("capped", { $inc: { seq: 1 } }),
      [{ kind: "seq_broken", platformId: "capped" }],
    ],
    [
      "the member deleted",
      (clanId) => collection("members").deleteOne(member(clanId, "capped")),
      [{ kind: "member_missing" }],
    ],
    [
      "the membership ended",
      setMember("plain", { $set: { membership: null } }),
      [{ kind: "membership_missing", platformId: "plain" }],
    ],
    [
      "a membership that was ended",
      setMember("left", { $set: { membership: { since: new Date() } } }),
      [{ kind: "membership_left" }],
    ],
    [
      "a membership created twice",
      setEntry(3, { $set: { membershipCreated: true } }),
      [{ kind: "membership_twice", platformId: "plain" }],
    ],
    [
      "a member filed under another clan",
      setMember("idle", { $set: { clanId: "other" } }),
      [{ kind: "member_misfiled", platformId: "idle" }],
    ],
  ])("%s", async (_, damage, expected) => {
    await expectFound(damage, expected);
  });
});

describe("damage to a batch is found", () => {
  const gone = { index: 0, kind: "batch_result", platformId: "plain" };
  test.each<[string, Damage, object[]]>([
    ["a result's XP", setBatch({ $set: { "outcomes.0.xp": 1_000_000n } }), [gone]],
    ["a result's rank", setBatch({ $set: { "outcomes.3.rank": "Elite" } }), [{ ...gone, index: 3 }]],
    [
      "a result of somebody else",
      setBatch({ $set: { "outcomes.2.platformId": "plain" } }),
      [{ kind: "batch_result", index: 2, platformId: "only-batch" }],
    ],
    [
      "an applied award called rejected",
      setBatch({ $set: { "outcomes.2": { platformId: "only-batch", code: "invalid_request", detail: "forged" } } }),
      [{ kind: "batch_result", index: 2 }],
    ],
    [
      "a rejected award called applied",
      setBatch({ $set: { "outcomes.1": { platformId: "no amount", xp: 5n, rank: "Guest" } } }),
      [{ kind: "batch_result", index: 1 }],
    ],
    ["a result cut off", setBatch({ $pop: { outcomes: 1 } }), [{ ...gone, index: 3 }, { kind: "batch_result" }]],
    [
      "all results gone",
      setBatch({ $unset: { outcomes: "" } }),
      [
        { kind: "batch_result", index: 0 },
        { kind: "batch_result", index: 2 },
        { kind: "batch_result", index: 3 },
        { kind: "batch_result" },
      ],
    ],
    [
      "the record deleted",
      (_, batchId) => collection("batches").deleteOne({ _id: batchId }),
      [{ kind: "batch_missing" }],
    ],
    [
      "a batch's entry deleted",
      deleteEntry(1, "only-batch"),
      [
        { kind: "entries_missing", platformId: "only-batch" },
        { kind: "batch_result", index: 2, platformId: "only-batch" },
      ],
    ],
  ])("%s", async (_, damage, expected) => {
    await expectFound(damage, expected);
  });
});

describe("the whole ledger", () => {
  test("clans that only members, entries or records know are walked, whatever their ids", async () => {
    const own = await makeWorld();
    const write = (name: string, doc: object) => own.database.db().collection<any>(name).insertOne(doc);
    const memberDoc = (clanId: string) => ({
      _id: `${clanId}/m`,
      clanId,
      platformId: "m",
      xp: 0n,
      seq: 0,
      membership: null,
      appointedRank: null,
    });
    const entryDoc = (clanId: string) => ({
      _id: { clanId, platformId: "m", seq: 1 },
      key: "-k",
      applied: 0n,
      xp: 0n,
      rank: "Guest",
    });
    // "-" sorts before "/", "0" after it: neighbours whose ranges must not meet.
    for (const clanId of ["a", "a-b", "a0", "a_"]) await own.makeClan({ clanId });
    for (const clanId of ["a", "a-b", "a0", "a_", "aa", "Z"]) await write("members", memberDoc(clanId));
    for (const clanId of ["a-b-c", "z"]) await write("ledger", entryDoc(clanId));

    const { exitCode, answer } = await cliOn({ MONGO_URL: own.mongoUrl }).json("reconcile");
    expect([exitCode, answer.members, answer.entries]).toEqual([1, 8, 2]);
    expect(answer.differences.map(({ kind, clanId }: any) => `${clanId} ${kind}`)).toEqual([
      "Z clan_missing",
      "a-b-c clan_missing",
      "a-b-c member_missing",
      "aa clan_missing",
      "z clan_missing",
      "z member_missing",
    ]);
    await own.close();
  });

  test("a thousand differences are listed, all are counted, and people get a table", async () => {
    const { clan } = await world.makeClan();
    const { clanId } = clan;
    const docs = Array.from({ length: DIFFERENCES_TOLD_MAX + 50 }, (_, index) => {
      const platformId = `forged-${index}`;
      return {
        _id: `${clanId}/${platformId}`,
        clanId,
        platformId,
        xp: 5n,
        seq: 1,
        membership: null,
        appointedRank: null,
      };
    });
    await collection("members").insertMany(docs);
    const { exitCode, answer } = await cli.json("reconcile", "--clan", clanId);
    expect([exitCode, answer.differences.length, answer.differencesTotal]).toEqual([
      1,
      DIFFERENCES_TOLD_MAX,
      DIFFERENCES_TOLD_MAX + 50,
    ]);
    const { stdout, exitCode: exitCodeForPeople } = await cli.run("reconcile", "--clan", clanId);
    expect(exitCodeForPeople).toBe(1);
    expect(stdout).toMatch(/^entries_missing +clan-\S+ +forged-0 /m);
    expect(stdout).toContain("Expected:");
  });

  test("awards and batches under way are no difference", async () => {
    const caller = await livedInClan();
    const load = { lanesUnderWay: 4 };
    const lanes = ["plain", "capped", "new-1", "new-2"].map(async (platformId, lane) => {
      for (let round = 0; round < 25; round += 1) {
        if (lane % 2 === 0) await caller.award(platformId, { amount: round % 3 === 0 ? -7 : 11 });
        else {
          await caller.submit([
            { platformId, amount: 3 },
            { platformId: "plain", amount: 1 },
            { platformId: `late-${lane}-${round}`, amount: 2 },
          ]);
        }
      }
      load.lanesUnderWay -= 1;
    });
    const reconcile = makeReconcile({ store: makeReconcileStore(world.database), itemsPerSnapshot: 25 });
    const reports = [];
    do reports.push(await reconcile({ clanId: caller.clanId }));
    while (load.lanesUnderWay > 0);
    await Promise.all(lanes);
    expect(reports.flatMap((report) => report.differences)).toEqual([]);
    const last = await reconcile({ clanId: caller.clanId });
    expect(last).toEqual({ members: 59, entries: 212, batches: 51, differences: [], differencesTotal: 0 });
    expect(reports[0]?.entries).toBeLessThan(last.entries);
  });
});
