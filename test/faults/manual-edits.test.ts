// Manual changes in MongoDB: a number of another type is the same number, an invalid value affects only its own member,
// and a member's document never changes what the ledger says.
import { expect, test } from "vitest";
import { expectResponse } from "../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { patientCliOn, untilComplete } from "../support/cli.ts";
import { until } from "../support/until.ts";
import { useApi } from "../support/use-api.ts";

const { world, port, clan } = await useApi({ worker: true });

const setManually = (collection: "members" | "clans" | "ledger", filter: object, fields: object) =>
  world.database.db().collection(collection).updateOne(filter, { $set: fields });
const first = (platformId: string): object => ({ "_id.platformId": platformId, "_id.seq": 1 });

/** The same caller at a process with empty caches. */
async function callerOfNewProcess(): Promise<ClanCaller> {
  return clan.on((await world.startApi()).port);
}

test("awards continue exactly from XP and bounds that were written as other number types in mongosh", async () => {
  await clan.award("by-hand", { amount: 5 });
  await setManually("ledger", first("by-hand"), { xp: 500 });
  await setManually("clans", { _id: clan.clanId }, { xpFloor: -10, xpCap: 600, "ranks.1.threshold": 400 });
  const caller = await callerOfNewProcess();

  expect(expectResponse("read-member", await caller.get("/members/by-hand"))).toMatchObject({
    xp: "500",
    nextRank: "Recruit",
    xpToNextRank: "0",
  });
  expect(expectResponse("apply-award", await caller.awardChange("by-hand", { amount: 99 }))).toMatchObject({
    xp: "599",
    rank: "Recruit",
  });
  expect((await caller.awardChange("by-hand", { amount: 99 })).body).toMatchObject({
    xp: "600",
    change: { applied: "1" },
  });
  expect((await caller.awardChange("by-hand", { amount: -1000 })).body).toMatchObject({
    xp: "-10",
    change: { applied: "-610" },
  });
});

test("awards to a member whose XP is not a number are rejected with `internal`, and other members are unaffected", async () => {
  const members = Array.from({ length: 20 }, (_, index) => `m${index}`);
  await Promise.all(["broken", ...members].map((member) => clan.award(member, { amount: 5 })));
  await setManually("ledger", first("broken"), { xp: "many" });
  const caller = await callerOfNewProcess();

  const batch = await caller.submit(
    [
      { platformId: "broken", amount: 1 },
      { platformId: "m0", amount: 0 },
    ],
    { prefer: "respond-async" },
  );
  const [broken, ...others] = await Promise.all(
    ["broken", ...members].map((member) => caller.award(member, { amount: 5 })),
  );
  expect(broken).toMatchObject({ status: 500, body: { code: "internal" } });
  expect(others.map(({ status, body }) => [status, body.xp])).toStrictEqual(members.map(() => [200, "10"]));

  await setManually("ledger", first("broken"), { xp: 5n });
  expect((await caller.award("broken", { amount: 5 })).status).toBe(200);
  await until(async () => (await caller.get(`/batches/${batch.body.batchId}`)).body.applied === 2);
  expect((await caller.get("/members/broken")).body.xp).toBe("11");
});

test("manual changes of a member's document have no effect, because the ledger is the source of truth", async () => {
  for (const member of ["changed", "deleted"]) await clan.award(member, { amount: 5 });
  await until(async () =>
    (await clan.get("/members?limit=200")).body.members.some((one: any) => one.platformId === "deleted"),
  );
  await setManually("members", { platformId: "changed" }, { xp: 900n, membership: { since: new Date() } });
  await world.database.db().collection("members").deleteOne({ platformId: "deleted" });
  const caller = await callerOfNewProcess();
  for (const member of ["changed", "deleted"]) {
    expect((await caller.get(`/members/${member}`)).body).toMatchObject({ xp: "5", membership: null });
    expect((await caller.award(member, { amount: 2 })).body.xp).toBe("7");
  }
});

test("a member's document with an invalid value spoils no list and no export, and is rebuilt from the ledger", async () => {
  const caller = await callerOfNewProcess();
  const damages = {
    fraction: { xp: 258.4 },
    text: { xp: "258" },
    empty: { xp: null },
    numbered: { seq: "1" },
    dated: { membership: { since: "today" } },
    misfiled: { platformId: 7 },
  };
  const ids = Object.keys(damages).toSorted();
  for (const id of ids) await clan.award(`z-${id}`, { amount: 152 });
  const listed = async (query: string): Promise<any[]> =>
    (await caller.get(`/members?limit=200${query}`)).body.members
      .filter(({ platformId }: any) => platformId.startsWith("z-"))
      .map(({ platformId, xp, rank, membership }: any) => [platformId, xp, rank, membership !== null]);
  // While Redis pauses, a list may be behind what another process has applied.
  await until(async () => (await listed("")).length === ids.length);
  const before = await listed("");
  expect(before).toStrictEqual(ids.map((id) => [`z-${id}`, "152", expect.any(String), expect.any(Boolean)]));
  const damage = async () => {
    for (const [id, fields] of Object.entries(damages))
      await setManually("members", { _id: `${clan.clanId}/z-${id}` as any }, fields);
  };

  for (const query of ["&sort=platformId", "&sort=xp"]) {
    await damage();
    expect(await listed(query)).toStrictEqual(before);
  }
  await damage();
  const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  const exported = await untilComplete(() => cli.run("export", clan.clanId, "members"));
  expect([exported.exitCode, exported.stderr]).toStrictEqual([0, ""]);
  for (const id of ids) expect(exported.stdout).toContain(`\nz-${id},152,`);
  const stored = await world.database
    .db()
    .collection<any>("members")
    .find({ _id: { $gte: `${clan.clanId}/z-`, $lt: `${clan.clanId}/z.` } })
    .toArray();
  expect(stored.map(({ platformId, xp }) => [platformId, xp])).toStrictEqual(ids.map((id) => [`z-${id}`, 152n]));
});

test("a damaged document without any entry does not spoil the list", async () => {
  const own = await makeClanCaller(world, port);
  await own.award("whole", { amount: 5 });
  await own.get("/members");
  const forged = { clanId: own.clanId, platformId: "forged", xp: 258.4, seq: 0, membership: null, appointedRank: null };
  await world.database
    .db()
    .collection<any>("members")
    .insertOne({ _id: `${own.clanId}/forged`, ...forged });
  const { status, body } = await own.get("/members");
  expect(status).toBe(200);
  expect(body.members.map(({ platformId }: any) => platformId)).toContain("whole");
});
