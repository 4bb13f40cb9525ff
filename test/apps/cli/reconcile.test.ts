// reconcile: a consistent ledger has no differences, and awards under way are none. Damage: reconcile-damage.test.ts.
import { MongoServerError } from "mongodb";
import { describe, expect, test } from "vitest";
import { awardIdOf } from "#contract/award-id.ts";
import { makeReconcileStore } from "#operations/store/reconcile-store.ts";
import { DIFFERENCES_REPORTED_MAX } from "#operations/bounds.ts";
import { makeReconcile } from "#operations/reconcile.ts";
import { patientCliOn } from "../../support/cli.ts";
import { makeWorld } from "../../support/world.ts";
import { memberDoc, useReconcile } from "./use-reconcile.ts";

const { world, cli, collection, livedInClan, differencesOf } = await useReconcile();

describe("reconcile of a consistent ledger", () => {
  test("verifies every member, entry and batch, and exits with code 0", async () => {
    const { clanId } = await livedInClan();
    const { exitCode, answer } = await cli.json("reconcile", "--clan", clanId);
    expect(answer).toEqual({ members: 7, entries: 12, batches: 1, differences: [], differencesTotal: 0 });
    expect(exitCode).toBe(0);
    expect((await cli.run("reconcile", "--clan", clanId)).stdout).toContain("the ledger is consistent");
  });

  test("exits with code 0 for an empty clan", async () => {
    const { clan } = await world.makeClan();
    expect((await cli.json("reconcile", "--clan", clan.clanId)).exitCode).toBe(0);
  });

  test("ignores a batch that is not done", async () => {
    const { clanId, batchId } = await livedInClan();
    await collection("batches").updateOne(
      { _id: batchId },
      { $set: { state: "running", outcomes: [], finishedAt: null } },
    );
    expect(await differencesOf(clanId)).toEqual([]);
    await collection("batches").deleteOne({ _id: batchId, clanId });
    await collection("ledger").updateMany({ batchId }, { $unset: { batchId: "" } });
  });

  test("returns the same result with a new snapshot after every member and batch", async () => {
    const { clanId } = await livedInClan();
    const inOne = await makeReconcile({ store: makeReconcileStore(world.database), awardIdOf })({ clanId });
    const shown: number[] = [];
    const inMany = await makeReconcile({ store: makeReconcileStore(world.database), awardIdOf, itemsPerSnapshot: 1 })({
      clanId,
      onProgress: (proved) => shown.push(proved),
    });
    expect(inMany).toEqual(inOne);
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.at(-1)).toBe(inOne.members + inOne.entries + inOne.batches);
    expect(await makeReconcileStore(world.database).size(clanId)).toBe(shown.at(-1));
  });

  test("reads from a newer snapshot if MongoDB discarded the previous one", async () => {
    let tries = 0;
    const answer = await makeReconcileStore(world.database).withSnapshot(async () => {
      tries += 1;
      if (tries < 3) throw new MongoServerError({ code: 239, message: "snapshot too old" });
      return "read";
    });
    expect([answer, tries]).toEqual(["read", 3]);
  });
});

describe("reconcile of all clans", () => {
  test("verifies clans that exist only in members, entries or records, whatever their IDs", async () => {
    const own = await makeWorld();
    const write = (name: string, doc: object) => own.database.db().collection<any>(name).insertOne(doc);
    const entryDoc = (clanId: string) => ({
      _id: { clanId, platformId: "m", seq: 1 },
      key: "-k",
      applied: 0n,
      xp: 0n,
      rank: "Guest",
    });
    // "-" sorts before "/", "0" after it: neighbours whose ranges must not meet.
    for (const clanId of ["a", "a-b", "a0", "a_"]) await own.makeClan({ clanId });
    for (const clanId of ["a", "a-b", "a0", "a_", "aa", "Z"])
      await write("members", memberDoc(clanId, "m", { xp: 0n }));
    for (const clanId of ["a-b-c", "z"]) await write("ledger", entryDoc(clanId));

    const { exitCode, answer } = await patientCliOn({ MONGO_URL: own.mongoUrl }).json("reconcile");
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

  test("lists the first 1,000 differences, counts all, and prints a table for people", async () => {
    const { clan } = await world.makeClan();
    const { clanId } = clan;
    const count = DIFFERENCES_REPORTED_MAX + 50;
    const docs = Array.from({ length: count }, (_, index) => memberDoc(clanId, `forged-${index}`, { seq: 1 }));
    await collection("members").insertMany(docs);
    const { exitCode, answer } = await cli.json("reconcile", "--clan", clanId);
    const counts = [answer.differences.length, answer.differencesTotal];
    expect([exitCode, ...counts]).toEqual([1, DIFFERENCES_REPORTED_MAX, count]);
    const { stdout, exitCode: exitCodeForPeople } = await cli.run("reconcile", "--clan", clanId);
    expect(exitCodeForPeople).toBe(1);
    expect(stdout).toMatch(/^entries_missing +clan-\S+ +forged-0 /m);
    expect(stdout).toContain("Expected:");
  });

  test("does not report awards and batches in progress", async () => {
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
    const reconcile = makeReconcile({ store: makeReconcileStore(world.database), awardIdOf, itemsPerSnapshot: 25 });
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
