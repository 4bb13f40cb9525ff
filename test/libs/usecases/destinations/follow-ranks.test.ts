// Roles of a Roblox group follow the ranks of members: the engine over real MongoDB and Redis, and a stand-in for
// Roblox.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeRobloxGroups } from "#outbound/roblox-groups.ts";
import { makeSendToService } from "#outbound/send-to-service.ts";
import { standingOf } from "#domain/rank.ts";
import { makeDestinationStore } from "#store/destinations/destination-store.ts";
import { makeRoleSyncStore } from "#store/destinations/role-sync-store.ts";
import { makeErasureParts } from "#store/erasure/erasure-parts.ts";
import { makeLedgerStore } from "#store/ledger/ledger-store.ts";
import { testActor } from "../../../support/actor.ts";
import { makeClanCaller, type ClanCaller } from "../../../support/clan-caller.ts";
import { chanceOf } from "../../../support/chance.ts";
import { makeEntry } from "../../../support/entry.ts";
import { startFakeRoblox, type FakeRoblox } from "../../../support/fake-roblox.ts";
import { makeRoleFollower, type RoleFollower } from "../../../support/role-follower.ts";
import { seedOfRun } from "../../../support/seed.ts";
import { until } from "../../../support/until.ts";
import { useApi } from "../../../support/use-api.ts";

const { world, port } = await useApi({ worker: true });

const [MEMBER, RECRUIT, VETERAN, ELITE, MODERATOR, OWNER] = ["1001", "1010", "1020", "1030", "1099", "1255"];
const ROLES = { Recruit: RECRUIT, Veteran: VETERAN, Elite: ELITE };
const TIMEOUT_MS = 400;

let roblox: FakeRoblox;
let clan: ClanCaller;
let follower: RoleFollower;

beforeEach(async () => {
  roblox = await startFakeRoblox();
  clan = await makeClanCaller(world, port);
});
afterEach(async () => {
  await follower.close();
  await roblox.close();
});

function serviceOf({ url }: FakeRoblox) {
  return makeRobloxGroups({ send: makeSendToService({ serviceUrl: url }), baseUrl: url, timeoutMs: TIMEOUT_MS });
}

async function follow(options: Partial<Parameters<typeof makeRoleFollower>[2]> = {}): Promise<void> {
  follower = await makeRoleFollower(world, clan.clanId, {
    ...{ kind: "roblox-group", service: serviceOf(roblox), target: roblox.groupId, credential: roblox.key },
    roles: ROLES,
    ...options,
  });
}

/** The group's members, with these roles. */
function inGroup(members: Record<string, string[]>): void {
  for (const [userId, roles] of Object.entries(members)) roblox.members.set(userId, new Set(roles));
}

function rolesOf(userId: string): string[] {
  return [...(roblox.members.get(userId) ?? [])].toSorted();
}

function changes(): string[] {
  return roblox.seen.filter(({ method, path }) => method === "POST" && !path.includes("introspect")).map(textOf);
}

function textOf({ path, body }: { path: string; body?: any }): string {
  const [userId, verb] = path.split("/").at(-1)?.split(":") ?? [];
  return `${userId} ${verb === "assignRole" ? "+" : "-"}${body.role.split("/").at(-1)}`;
}

/** A full sync has ended after this time. */
async function isSynced(since = new Date(0)): Promise<boolean> {
  const doc = await world.database.models.destinations.findById(follower.destinationId).lean();
  return doc !== null && doc.run.syncedAt !== null && doc.run.syncedAt > since;
}

describe("an event of a member", () => {
  test("the role of the present rank is assigned, then others of the mapping are unassigned, and no other is touched", async () => {
    inGroup({ "101": [MEMBER, RECRUIT, ELITE, MODERATOR], "555": [MEMBER, RECRUIT] });
    await follow();
    await follower.hold();
    await until(() => isSynced());
    expect(changes()).toStrictEqual([]);
    await clan.award("101", { amount: 1_500 });
    await until(async () => (await follower.outcomes())["synced"] === 1);
    expect(rolesOf("101")).toStrictEqual([MEMBER, VETERAN, MODERATOR]);
    expect(changes()[0]).toBe(`101 +${VETERAN}`);
    expect(changes().toSorted()).toStrictEqual([`101 +${VETERAN}`, `101 -${RECRUIT}`, `101 -${ELITE}`]);
    // Of this person nothing is stored here, whatever roles they have.
    expect(rolesOf("555")).toStrictEqual([MEMBER, RECRUIT]);
    expect(await follower.outcomeOf("555")).toBeUndefined();
  });

  test("changes that follow each other cost one comparison, with the newest rank", async () => {
    inGroup({ "101": [MEMBER] });
    await follow({ quietMs: 600 });
    await follower.hold();
    await until(() => isSynced());
    for (const amount of [100, 900, 9_000]) await clan.award("101", { amount });
    await until(() => rolesOf("101").includes(ELITE));
    expect(changes()).toStrictEqual([`101 +${ELITE}`]);
    expect(roblox.seen.filter(({ query }) => query.has("filter"))).toHaveLength(1);
  });

  test("a failure is retried with the newest rank, whatever form the responses have", async () => {
    inGroup({ "101": [MEMBER], "102": [MEMBER] });
    await follow();
    await follower.hold();
    await until(() => isSynced());
    roblox.odd.push({
      matches: ({ path }) => path.includes("101:"),
      replies: [{ status: 502, body: "<html>Bad gateway</html>" }, "hang", { status: 500, body: { errors: [] } }],
    });
    await clan.award("101", { amount: 100 });
    await until(async () => (await follower.outcomeOf("101"))?.reason?.includes("did not respond in time"));
    await clan.award("101", { amount: 900 });
    await clan.award("102", { amount: 100 });
    await until(async () => (await follower.outcomes())["synced"] === 2);
    expect(rolesOf("101")).toStrictEqual([MEMBER, VETERAN]);
    expect(rolesOf("102")).toStrictEqual([MEMBER, RECRUIT]);
    expect(await follower.read()).toMatchObject({ state: "active", stateReason: null });
  });

  test("each refusal has its outcome with a sentence, and stops nobody else", async () => {
    inGroup({ "1": [MEMBER, OWNER], "2": [MEMBER, "1200"], "3": [MEMBER], "5": [MEMBER], "6": [MEMBER] });
    roblox.roles.push({ id: "1200", name: "Admin", rank: 200 });
    await follow({ roles: { ...ROLES, Elite: "1031" } });
    await follower.hold();
    await until(() => isSynced());
    const awards = { "1": 100, "2": 100, "3": 10_000, "4": 100, x5: 100, "5": 100, "6": 100 };
    for (const [platformId, amount] of Object.entries(awards)) await clan.award(platformId, { amount });
    const settled = async () => Object.values(await follower.outcomes()).reduce<number>((sum, n = 0) => sum + n, 0);
    await until(async () => (await settled()) === 7 && (await follower.outcomes())["protected"] === 2);
    expect(await follower.outcomes()).toStrictEqual({
      synced: 2,
      not_there: 1,
      not_an_id: 1,
      protected: 2,
      refused: 1,
    });
    expect(await follower.outcomeOf("1")).toMatchObject({ outcome: "protected" });
    expect(await follower.outcomeOf("3")).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("The group has no role 1031 any more: choose another one in the mapping."),
    });
    expect(await follower.outcomeOf("4")).toStrictEqual({ outcome: "not_there", reason: null });
    expect(await follower.outcomeOf("x5")).toStrictEqual({ outcome: "not_an_id", reason: null });
    expect((await follower.read()).state).toBe("active");
  });
});

describe("a full sync", () => {
  test("of 5,000 members without a difference costs 50 requests, and one with differences a request for each", async () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => `${1_000 + index}`);
    const store = makeLedgerStore(world.database);
    const since = new Date(0);
    const of = { clanId: clan.clanId, memberSince: since, xp: 150n, amount: 150n, applied: 150n };
    await store.commit(ids.map((platformId) => makeEntry({ ...of, platformId, key: `=${platformId}` })));
    const head = { xp: 150n, seq: 1, membership: { since }, appointedRank: null };
    await store.project(new Map(ids.map((platformId) => [`${clan.clanId}/${platformId}`, head])));
    inGroup(Object.fromEntries(ids.map((id) => [id, [MEMBER, RECRUIT]])));
    inGroup({ "77": [MEMBER, ELITE] });
    roblox.members.delete("1000");
    await follow({ requestsPerMinute: 600_000 });
    const { held } = await follower.hold();
    await until(() => isSynced());
    expect(roblox.seen).toHaveLength(50);
    expect(await follower.outcomes()).toStrictEqual({ synced: 4_999, not_there: 1 });

    for (const [id, role] of [
      ["1001", ELITE],
      ["5999", ELITE],
    ] as const)
      roblox.members.get(id)?.add(role);
    const [seen, all] = [roblox.seen.length, { platformId: null, dryRun: false }];
    expect(await follower.syncNow(held, { ...all, dryRun: true })).toStrictEqual({
      members: 4_999,
      changed: 0,
      differences: ["1001", "5999"].map((platformId) => ({
        ...{ platformId, rank: "Recruit", has: [RECRUIT, ELITE], wants: [RECRUIT] },
      })),
    });
    expect(roblox.seen.length - seen).toBe(50);
    expect(rolesOf("5999")).toContain(ELITE);
    for (const [platformId, members] of Object.entries({ "1001": 1, "5999": 1, "1000": 0, "77": 0 }))
      expect(await follower.syncNow(held, { ...all, platformId })).toMatchObject({ members, changed: members });
    expect(changes()).toStrictEqual([`1001 -${ELITE}`, `5999 -${ELITE}`]);
    expect(rolesOf("77")).toStrictEqual([MEMBER, ELITE]);
  });

  test("follows a change of ranks and of the mapping, and takes the roles of people without a membership", async () => {
    inGroup({ "101": [MEMBER], "102": [MEMBER, VETERAN], "103": [MEMBER, ELITE, MODERATOR] });
    await clan.award("101", { amount: 500 });
    await world.setXp({ clanId: clan.clanId, platformId: "103" }, 20_000n);
    await follow();
    const { stop } = await follower.hold();
    await until(() => isSynced());
    expect([rolesOf("101"), rolesOf("102"), rolesOf("103")]).toStrictEqual([
      [MEMBER, RECRUIT],
      [MEMBER, VETERAN],
      [MEMBER, MODERATOR],
    ]);
    await world.clans.change(
      clan.clanId,
      {
        ranks: (ranks) => ranks.map((rank) => (rank.name === "Veteran" ? { ...rank, threshold: 400n } : rank)),
        moved: { rise: 1, fall: 0 },
      },
      testActor,
    );
    await until(() => rolesOf("101").includes(VETERAN) && !rolesOf("101").includes(RECRUIT));
    await stop();
    const before = new Date();
    await makeDestinationStore(world.database).change(
      follower.destinationId,
      { mapping: { target: roblox.groupId, roles: { Veteran: MODERATOR }, requestsPerMinute: 60_000 } },
      { action: "destination.set" },
      testActor,
    );
    await follower.hold();
    await until(() => isSynced(before));
    // The role of the former mapping is outside of it now.
    expect([rolesOf("101"), rolesOf("103")]).toStrictEqual([[MEMBER, VETERAN, MODERATOR], [MEMBER]]);
  });

  test("leaves nobody out who was there, although people join and leave while pages are read", async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `${2_000 + index}`);
    for (let index = 0; index < ids.length; index += 50)
      await clan.awards(ids.slice(index, index + 50).map((platformId) => ({ platformId, amount: 150 })));
    inGroup(Object.fromEntries(ids.map((id) => [id, [MEMBER, RECRUIT]])));
    await follow();
    const { held } = await follower.hold();
    await until(() => isSynced());
    roblox.members.get("2100")?.add(ELITE);
    roblox.afterPage = (page) => {
      if (page !== 0) return;
      // The first one of the next page moves to the page that was read.
      roblox.members.delete("2000");
      roblox.members.set("3000", new Set([MEMBER]));
    };
    await follower.syncNow(held, { platformId: null, dryRun: false });
    await until(() => !rolesOf("2100").includes(ELITE));
    await until(async () => (await follower.outcomeOf("2100"))?.outcome === "synced");
    expect(changes()).toStrictEqual([`2100 -${ELITE}`]);
  });
});

describe("limits and outages", () => {
  test("requests are spread evenly, also when another notifier takes over, and what was begun is completed", async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `${300 + index}`);
    await clan.awards(ids.map((platformId) => ({ platformId, amount: 150 })));
    inGroup(Object.fromEntries(ids.map((id) => [id, [MEMBER]])));
    const everyMs = 50;
    await follow({ requestsPerMinute: 60_000 / everyMs });
    const first = await follower.hold();
    await until(() => changes().length >= 4);
    await first.stop();
    const taken = roblox.seen.length;
    expect(changes().length).toBeLessThan(ids.length);
    await follower.hold();
    await until(() => isSynced());
    for (const id of ids) expect(rolesOf(id)).toStrictEqual([MEMBER, RECRUIT]);
    const gaps = roblox.seen.slice(1).map(({ atMs }, index) => atMs - (roblox.seen[index]?.atMs ?? 0));
    // Timers end up to a millisecond early, and a request may take a little longer than the next one.
    expect(Math.min(...gaps)).toBeGreaterThan(everyMs / 2);
    expect(gaps[taken - 1]).toBeGreaterThan(everyMs / 2);
  });

  test("nothing is sent once another process may hold the destination", async () => {
    inGroup({ "101": [MEMBER] });
    await follow();
    let isHeld = true;
    await follower.hold({ isHeld: () => isHeld });
    await until(() => isSynced());
    isHeld = false;
    const seen = roblox.seen.length;
    await clan.award("101", { amount: 150 });
    await until(async () => (await follower.outcomes())["waiting"] === 1);
    await clan.award("102", { amount: 150 });
    await until(async () => (await follower.outcomes())["waiting"] === 2);
    expect(roblox.seen).toHaveLength(seen);
  });

  test("429 rests as long as Roblox asks, over a takeover too, and uses up no attempt", async () => {
    inGroup({ "101": [MEMBER] });
    await follow({ schedule: { retryMs: [] } });
    const first = await follower.hold();
    await until(() => isSynced());
    roblox.limit.requests = 0;
    roblox.limit.windowMs = 2_000;
    await clan.award("101", { amount: 150 });
    await until(() => roblox.seen.some(({ query }) => query.has("filter")));
    const limitedAtMs = roblox.seen.at(-1)?.atMs ?? 0;
    await first.stop();
    roblox.limit.requests = Infinity;
    await follower.hold();
    await until(() => rolesOf("101").includes(RECRUIT));
    const next = roblox.seen.find(({ atMs }) => atMs > limitedAtMs);
    expect((next?.atMs ?? 0) - limitedAtMs).toBeGreaterThan(1_500);
  });

  test("a key that Roblox rejects fails the destination at once, with the fix; it is well again with the key", async () => {
    inGroup({ "101": [MEMBER] });
    await follow();
    const { held } = await follower.hold();
    await until(() => isSynced());
    const { key } = roblox;
    roblox.key = "another key";
    await clan.award("101", { amount: 150 });
    await until(async () => (await follower.read()).state === "failing");
    const { stateReason } = await follower.read();
    expect(stateReason).toMatch(/^Roblox rejects the API key: .* Roblox says: "Invalid API Key"$/);
    expect(stateReason).not.toContain(key);
    await expect(follower.syncNow(held, { platformId: "101", dryRun: true })).rejects.toThrow(/rejects the API key/);
    const probes = roblox.seen.length;
    await until(() => roblox.seen.length >= probes + 3);
    const [since, { atMs: firstAtMs }] = [new Date(), roblox.seen[probes] ?? { atMs: 0 }];
    // Only probed: one request each.
    expect((roblox.seen[probes + 2]?.atMs ?? 0) - firstAtMs).toBeGreaterThan(150);
    roblox.key = key;
    await until(async () => (await follower.read()).state === "active");
    await until(() => isSynced(since));
    expect(rolesOf("101")).toStrictEqual([MEMBER, RECRUIT]);
    expect((await follower.read()).stateReason).toBeNull();
  });

  test("10 members in a row whom the key may not change fail the destination, and nobody else is tried until it may", async () => {
    const ids = Array.from({ length: 14 }, (_, index) => `${400 + index}`);
    await clan.awards(ids.map((platformId) => ({ platformId, amount: 150 })));
    inGroup(Object.fromEntries(ids.map((id) => [id, [MEMBER]])));
    roblox.mayManage = false;
    await follow();
    await follower.hold();
    await until(async () => (await follower.read()).state === "failing");
    expect(new Set(changes().map((change) => change.split(" ")[0])).size).toBe(10);
    expect((await follower.read()).stateReason).toMatch(
      /^The key's owner has no permission to manage members' roles: give .* the scope group:write\./,
    );
    const tried = changes().length;
    await until(() => changes().length > tried + 1);
    expect((await follower.read()).state).toBe("failing");
    roblox.mayManage = true;
    await until(async () => (await follower.outcomes())["synced"] === ids.length);
    expect((await follower.read()).state).toBe("active");
    for (const id of ids) expect(rolesOf(id)).toStrictEqual([MEMBER, RECRUIT]);
  });

  test("an outage is probed only, and disables the destination after its time", async () => {
    inGroup({ "101": [MEMBER] });
    await follow({ schedule: { retryMs: [20, 20, 20, 20, 20, 20], disableAfterMs: 700 } });
    await follower.hold();
    await until(() => isSynced());
    roblox.odd.push({ matches: () => true, replies: Array.from({ length: 100 }, () => ({ status: 503, body: "" })) });
    await clan.award("101", { amount: 150 });
    await until(async () => (await follower.read()).state === "failing");
    expect((await follower.read()).stateReason).toMatch(/^5 failures in a row, most recently: Roblox responded with/);
    await until(async () => (await follower.read()).state === "disabled");
    const seen = roblox.seen.length;
    expect(seen).toBeLessThan(20);
    await clan.award("102", { amount: 150 });
    const disabled = { clanId: clan.clanId, type: "destination.disabled" };
    await until(() =>
      world.database.db().collection("events").findOne({ "_id.clanId": disabled.clanId, type: disabled.type }),
    );
    expect(roblox.seen).toHaveLength(seen);
    expect((await follower.read()).stateReason).toMatch(/Roblox responded with status 503\./);
  });
});

test("whatever happens in whatever order, everybody ends with the role of their rank", async () => {
  const chance = chanceOf(seedOfRun());
  const ids = Array.from({ length: 12 }, (_, index) => `${500 + index}`);
  for (const id of ids) if (chance.hits(0.8)) inGroup({ [id]: [MEMBER, MODERATOR] });
  await follow({ quietMs: 5 });
  let holder = await follower.hold();
  const odd = [{ status: 500, body: "" }, { status: 503, body: { errors: [] } }, "close"] as const;
  for (let step = 0; step < 60; step += 1) {
    const id = chance.pick(ids);
    if (chance.hits(0.6)) await clan.award(id, { amount: chance.int(-2_000, 6_000) });
    if (chance.hits(0.2)) roblox.members.get(id)?.add(chance.pick([RECRUIT, VETERAN, ELITE]));
    if (chance.hits(0.1)) roblox.members.get(id)?.clear();
    if (chance.hits(0.1)) roblox.members.delete(id);
    else if (chance.hits(0.1)) inGroup({ [id]: [MEMBER, MODERATOR] });
    if (chance.hits(0.1)) roblox.odd.push({ matches: () => true, replies: [chance.pick(odd)] });
    if (chance.hits(0.05)) {
      await holder.stop();
      holder = await follower.hold();
    }
  }
  await until(() => roblox.odd.every(({ replies }) => replies.length === 0));
  // Changes by hand are corrected by the next full sync.
  await until(async () => (await follower.read()).state === "active");
  await follower.syncNow(holder.held, { platformId: null, dryRun: false });
  await until(async () => (await follower.outcomes())["waiting"] === undefined);
  for (const id of ids) {
    const member = await world.members.read({ clanId: clan.clanId, platformId: id });
    if (!roblox.members.has(id) || !member) continue;
    const rank = standingOf(clan.clan, member).rank;
    const wanted = member.membership ? [ROLES[rank as keyof typeof ROLES]] : [];
    const mapped = rolesOf(id).filter((role) => Object.values(ROLES).includes(role));
    expect({ id, rank, mapped }).toStrictEqual({ id, rank, mapped: wanted });
  }
});

test("an erasure leaves nothing, also of a member who is marked after it", async () => {
  inGroup({ "101": [MEMBER], "102": [MEMBER] });
  await follow({ quietMs: 100 });
  await follower.hold();
  await clan.awards(["101", "102"].map((platformId) => ({ platformId, amount: 150 })));
  await until(async () => (await follower.outcomes())["synced"] === 2);
  const syncs = world.database.models.syncs;
  await makeErasureParts(world.database).eraseRoleSyncs({ clanId: clan.clanId, platformId: "101" });
  expect(await syncs.countDocuments({ clanId: clan.clanId, platformId: "101" })).toBe(0);
  // As from an event that was read before the erasure.
  const [store, destination] = [makeRoleSyncStore(world.database), await follower.read()];
  await store.mark(destination, ["nobody-4711"], { dueInMs: 0, waitMsMax: 0 });
  await clan.award("102", { amount: 900 });
  await until(() => rolesOf("102").includes(VETERAN));
  await until(async () => (await syncs.countDocuments({ platformId: "nobody-4711" })) === 0);
  await makeDestinationStore(world.database).remove(follower.destinationId, testActor);
  expect(await syncs.countDocuments({ destinationId: follower.destinationId })).toBe(0);
});
