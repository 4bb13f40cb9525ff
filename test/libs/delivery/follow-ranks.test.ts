// Roles of a Roblox group follow the ranks of members: the engine over real MongoDB and Redis, and a stand-in for
// Roblox.
import { describe, expect, test } from "vitest";
import { standingOf } from "#domain/rank.ts";
import { makeDestinationStore } from "#delivery/store/destination-store.ts";
import { makeRoleSyncStore } from "#delivery/store/role-sync-store.ts";
import { makeErasureParts } from "#erasure/store/erasure-parts.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { testActor } from "../../support/actor.ts";
import { chanceOf } from "../../support/chance.ts";
import { destinationsIn } from "../../support/destinations.ts";
import { makeEntry } from "../../support/entry.ts";
import { seedOfRun } from "../../support/seed.ts";
import { until } from "../../support/until.ts";
import { ELITE, MEMBER, MODERATOR, OWNER, RECRUIT, ROLES, useGroup, VETERAN } from "../../support/use-group.ts";

const { world, at, follow, inGroup, rolesOf, changes, isSynced } = await useGroup();

describe("an event of a member", () => {
  test("the role of the present rank is assigned, then others of the mapping are unassigned, and no other is touched", async () => {
    inGroup({ "101": [MEMBER, RECRUIT, ELITE, MODERATOR], "555": [MEMBER, RECRUIT] });
    await follow();
    await at.follower.hold();
    await until(() => isSynced());
    expect(changes()).toStrictEqual([]);
    await at.clan.award("101", { amount: 1_500 });
    await until(async () => (await at.follower.outcomes())["synced"] === 1);
    expect(rolesOf("101")).toStrictEqual([MEMBER, VETERAN, MODERATOR]);
    expect(changes()[0]).toBe(`101 +${VETERAN}`);
    expect(changes().toSorted()).toStrictEqual([`101 +${VETERAN}`, `101 -${RECRUIT}`, `101 -${ELITE}`]);
    // Of this person nothing is stored here, whatever roles they have.
    expect(rolesOf("555")).toStrictEqual([MEMBER, RECRUIT]);
    expect(await at.follower.outcomeOf("555")).toBeUndefined();
  });

  test("changes that follow each other cost one comparison, with the newest rank", async () => {
    inGroup({ "101": [MEMBER] });
    // Longer than a machine that is busy keeps the worker, which numbers their events, between two of them.
    await follow({ quietMs: 5_000 });
    await at.follower.hold();
    await until(() => isSynced());
    for (const amount of [100, 900, 9_000]) await at.clan.award("101", { amount });
    await until(() => rolesOf("101").includes(ELITE));
    expect(changes()).toStrictEqual([`101 +${ELITE}`]);
    expect(at.roblox.seen.filter(({ query }) => query.has("filter"))).toHaveLength(1);
  });

  test("a failure is retried with the newest rank, whatever form the responses have", async () => {
    inGroup({ "101": [MEMBER], "102": [MEMBER] });
    // The second failure can be seen until the next award, however busy the machine is.
    await follow({ timeoutMs: 1_000, schedule: { retryMs: [100, 60_000] } });
    await at.follower.hold();
    await until(() => isSynced());
    at.roblox.odd.push({
      matches: ({ path }) => path.includes("101:"),
      replies: [{ status: 502, body: "<html>Bad gateway</html>" }, "hang", { status: 500, body: { errors: [] } }],
    });
    await at.clan.award("101", { amount: 100 });
    await until(async () => (await at.follower.outcomeOf("101"))?.reason?.includes("did not respond in time"));
    await at.clan.award("101", { amount: 900 });
    await at.clan.award("102", { amount: 100 });
    await until(async () => (await at.follower.outcomes())["synced"] === 2);
    expect(rolesOf("101")).toStrictEqual([MEMBER, VETERAN]);
    expect(rolesOf("102")).toStrictEqual([MEMBER, RECRUIT]);
    expect(await at.follower.read()).toMatchObject({ state: "active", stateReason: null });
  });

  test("each refusal has its outcome with a sentence, and stops nobody else", async () => {
    inGroup({ "1": [MEMBER, OWNER], "2": [MEMBER, "1200"], "3": [MEMBER], "5": [MEMBER], "6": [MEMBER] });
    at.roblox.roles.push({ id: "1200", name: "Admin", rank: 200 });
    await follow({ roles: { ...ROLES, Elite: "1031" } });
    await at.follower.hold();
    await until(() => isSynced());
    const awards = { "1": 100, "2": 100, "3": 10_000, "4": 100, x5: 100, "5": 100, "6": 100 };
    for (const [platformId, amount] of Object.entries(awards)) await at.clan.award(platformId, { amount });
    const settled = async () => Object.values(await at.follower.outcomes()).reduce<number>((sum, n = 0) => sum + n, 0);
    await until(async () => (await settled()) === 7);
    await until(async () => (await at.follower.outcomes())["waiting"] === undefined);
    expect(await at.follower.outcomes()).toStrictEqual({
      synced: 2,
      not_there: 1,
      not_an_id: 1,
      protected: 1,
      refused: 2,
    });
    // Counted once they are stored.
    await until(() => Object.values(at.follower.counted()).reduce<number>((sum, n = 0) => sum + n, 0) >= 7);
    expect(at.follower.counted()).toMatchObject({ not_in_group: 1, not_roblox: 1 });
    expect(await at.follower.outcomeOf("1")).toMatchObject({ outcome: "protected" });
    expect(await at.follower.outcomeOf("2")).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("You do not have permission to manage this member."),
    });
    expect(await at.follower.outcomeOf("3")).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("The group has no role 1031 any more: choose another one in the mapping."),
    });
    expect(await at.follower.outcomeOf("4")).toStrictEqual({ outcome: "not_there", reason: null });
    expect(await at.follower.outcomeOf("x5")).toStrictEqual({ outcome: "not_an_id", reason: null });
    expect((await at.follower.read()).state).toBe("active");
  });
});

describe("a full sync", () => {
  /** They are Recruits, and no event says so: they are compared by full syncs alone. */
  async function inClan(members: readonly string[]): Promise<void> {
    const store = makeLedgerStore(world.database);
    const since = new Date(0);
    const of = { clanId: at.clan.clanId, memberSince: since, xp: 150n, amount: 150n, applied: 150n };
    await store.commit(members.map((platformId) => makeEntry({ ...of, platformId, key: `=${platformId}` })));
    const head = { xp: 150n, seq: 1, membership: { since }, appointedRank: null };
    await store.project(new Map(members.map((platformId) => [`${at.clan.clanId}/${platformId}`, head])));
  }

  test("of 1,000 members without a difference costs 10 requests, and one with differences a request for each", async () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `${1_000 + index}`);
    await inClan([...ids, "x5"]);
    inGroup(Object.fromEntries(ids.map((id) => [id, [MEMBER, RECRUIT]])));
    inGroup({ "77": [MEMBER, ELITE] });
    at.roblox.members.delete("1000");
    await follow({ requestsPerMinute: 600_000 });
    const { held } = await at.follower.hold();
    await until(() => isSynced());
    expect(at.roblox.seen).toHaveLength(10);
    expect(await at.follower.outcomes()).toStrictEqual({ synced: 999, not_there: 1, not_an_id: 1 });
    expect(at.follower.counted()).toStrictEqual({ synced: 999, not_in_group: 1, not_roblox: 1 });

    for (const [id, role] of [
      ["1001", ELITE],
      ["1999", ELITE],
    ] as const)
      at.roblox.members.get(id)?.add(role);
    const [seen, all] = [at.roblox.seen.length, { platformId: null, dryRun: false }];
    expect(await at.follower.syncNow(held, { ...all, dryRun: true })).toStrictEqual({
      members: 999,
      changed: 0,
      differences: ["1001", "1999"].map((platformId) => ({
        platformId,
        rank: "Recruit",
        has: [RECRUIT, ELITE],
        wants: [RECRUIT],
      })),
    });
    expect(at.roblox.seen.length - seen).toBe(10);
    expect(rolesOf("1999")).toContain(ELITE);
    expect((await at.follower.read()).lastDeliveredAt).toBeNull();
    for (const [platformId, count] of Object.entries({ "1001": 1, "1999": 1, "1000": 0, "77": 0 }))
      expect(await at.follower.syncNow(held, { ...all, platformId })).toMatchObject({ members: count, changed: count });
    expect(changes()).toStrictEqual([`1001 -${ELITE}`, `1999 -${ELITE}`]);
    expect((await at.follower.read()).lastDeliveredAt).toBeInstanceOf(Date);
    expect(rolesOf("77")).toStrictEqual([MEMBER, ELITE]);
  });

  test("follows a change of ranks and of the mapping, and takes the roles of people without a membership", async () => {
    inGroup({ "101": [MEMBER], "102": [MEMBER, VETERAN], "103": [MEMBER, ELITE, MODERATOR] });
    await at.clan.award("101", { amount: 500 });
    await world.setXp({ clanId: at.clan.clanId, platformId: "103" }, 20_000n);
    await follow();
    const { stop } = await at.follower.hold();
    await until(() => isSynced());
    expect([rolesOf("101"), rolesOf("102"), rolesOf("103")]).toStrictEqual([
      [MEMBER, RECRUIT],
      [MEMBER, VETERAN],
      [MEMBER, MODERATOR],
    ]);
    expect((await at.follower.read()).lastDeliveredAt).toBeInstanceOf(Date);
    await world.clans.change(
      at.clan.clanId,
      {
        ranks: (ranks) => ranks.map((rank) => (rank.name === "Veteran" ? { ...rank, threshold: 400n } : rank)),
        moved: { rise: 1, fall: 0 },
      },
      testActor,
    );
    await until(() => rolesOf("101").includes(VETERAN) && !rolesOf("101").includes(RECRUIT));
    await stop();
    const before = new Date();
    const mapping = { target: at.roblox.groupId, roles: { Veteran: MODERATOR }, requestsPerMinute: 60_000 };
    await destinationsIn(world.database).change(at.follower.destinationId, { mapping });
    await at.follower.hold();
    await until(() => isSynced(before));
    // The role of the former mapping is outside of it now.
    expect([rolesOf("101"), rolesOf("103")]).toStrictEqual([[MEMBER, VETERAN, MODERATOR], [MEMBER]]);
  });

  test("leaves nobody out who was there, although people join and leave while pages are read", async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `${2_000 + index}`);
    await inClan(ids);
    inGroup(Object.fromEntries(ids.map((id) => [id, [MEMBER, RECRUIT]])));
    await follow();
    const { held } = await at.follower.hold();
    await until(() => isSynced());
    at.roblox.members.get("2100")?.add(ELITE);
    at.roblox.afterPage = (page) => {
      if (page !== 0) return;
      // The first one of the next page moves to the page that was read.
      at.roblox.members.delete("2000");
      at.roblox.members.set("3000", new Set([MEMBER]));
    };
    await at.follower.syncNow(held, { platformId: null, dryRun: false });
    await until(() => !rolesOf("2100").includes(ELITE));
    await until(async () => (await at.follower.outcomeOf("2100"))?.outcome === "synced");
    expect(changes()).toStrictEqual([`2100 -${ELITE}`]);
  });
});

test("whatever happens in whatever order, everybody ends with the role of their rank", async () => {
  const chance = chanceOf(seedOfRun());
  const ids = Array.from({ length: 12 }, (_, index) => `${500 + index}`);
  for (const id of ids) if (chance.hits(0.8)) inGroup({ [id]: [MEMBER, MODERATOR] });
  await follow({ quietMs: 5 });
  let holder = await at.follower.hold();
  const odd = [{ status: 500, body: "" }, { status: 503, body: { errors: [] } }, "close"] as const;
  for (let step = 0; step < 60; step += 1) {
    const id = chance.pick(ids);
    if (chance.hits(0.6)) await at.clan.award(id, { amount: chance.int(-2_000, 6_000) });
    if (chance.hits(0.2)) at.roblox.members.get(id)?.add(chance.pick([RECRUIT, VETERAN, ELITE]));
    if (chance.hits(0.1)) at.roblox.members.get(id)?.clear();
    if (chance.hits(0.1)) at.roblox.members.delete(id);
    if (chance.hits(0.1)) inGroup({ [id]: [MEMBER, MODERATOR] });
    if (chance.hits(0.1)) at.roblox.odd.push({ matches: () => true, replies: [chance.pick(odd)] });
    if (chance.hits(0.05)) {
      await holder.stop();
      holder = await at.follower.hold();
    }
  }
  // All odd responses are given, also if nobody's roles had to be compared any more.
  inGroup({ "499": [MEMBER] });
  await at.clan.award("499", { amount: 150 });
  await until(() => at.roblox.odd.every(({ replies }) => replies.length === 0));
  // What was changed manually is corrected by the next full sync.
  await until(async () => (await at.follower.read()).state === "active");
  await at.follower.syncNow(holder.held, { platformId: null, dryRun: false });
  await until(async () => (await at.follower.outcomes())["waiting"] === undefined);
  const wrong = async (): Promise<object[]> => {
    const found: object[] = [];
    for (const id of ids) {
      const member = await world.members.read({ clanId: at.clan.clanId, platformId: id });
      if (!at.roblox.members.has(id) || !member) continue;
      const rank = standingOf(at.clan.clan, member).rank;
      const wanted = member.membership ? [ROLES[rank as keyof typeof ROLES]] : [];
      const mapped = rolesOf(id).filter((role) => Object.values(ROLES).includes(role));
      if (mapped.join() !== wanted.join()) found.push({ id, rank, mapped });
    }
    return found;
  };
  // The last events may not have numbers yet.
  await expect.poll(wrong).toStrictEqual([]);
});

test("an erasure leaves nothing, also of a member who is marked after it", async () => {
  inGroup({ "101": [MEMBER], "102": [MEMBER] });
  await follow({ quietMs: 100 });
  await at.follower.hold();
  // Otherwise a full sync could compare them before their events do.
  await until(() => isSynced());
  await at.clan.awards(["101", "102"].map((platformId) => ({ platformId, amount: 150 })));
  await until(async () => (await at.follower.outcomes())["synced"] === 2);
  const syncs = world.database.stored.syncs;
  await makeErasureParts(world.database).eraseRoleSyncs({ clanId: at.clan.clanId, platformId: "101" });
  expect(await syncs.countDocuments({ clanId: at.clan.clanId, platformId: "101" })).toBe(0);
  // As from an event that was read before the erasure.
  const [store, destination] = [makeRoleSyncStore(world.database), await at.follower.read()];
  await store.mark(destination, ["nobody-4711"], { dueInMs: 0, waitMsMax: 0 });
  await at.clan.award("102", { amount: 900 });
  await until(() => rolesOf("102").includes(VETERAN));
  await until(async () => (await syncs.countDocuments({ platformId: "nobody-4711" })) === 0);
  await makeDestinationStore(world.database).remove(at.follower.destinationId, testActor);
  expect(await syncs.countDocuments({ destinationId: at.follower.destinationId })).toBe(0);
});
