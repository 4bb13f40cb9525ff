// Roles of a Roblox group follow the ranks of members: the engine over real MongoDB and Redis, and a stand-in for
// Roblox.
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from "vitest";
import { makeRobloxGroups } from "#outbound/roblox-groups.ts";
import { makeSendToService } from "#outbound/send-to-service.ts";
import { makeRoleSyncStore } from "#store/destinations/role-sync-store.ts";
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

async function synced(): Promise<void> {
  const { syncedAt } = (await world.database.models.destinations.findById(follower.destinationId).lean())?.run ?? {};
  if (!syncedAt) throw new Error("not yet");
}
const isSynced = () =>
  synced().then(
    () => true,
    () => false,
  );

describe("an event of a member", () => {
  test("the role of the present rank is assigned, then others of the mapping are unassigned, and no other is touched", async () => {
    inGroup({ "101": [MEMBER, RECRUIT, ELITE, MODERATOR], "555": [MEMBER, RECRUIT] });
    await follow();
    await follower.hold();
    await until(isSynced);
    expect(changes()).toStrictEqual([]);
    await clan.award("101", { amount: 1_500 });
    await until(async () => (await follower.outcomes())["synced"] === 1);
    expect(rolesOf("101")).toStrictEqual([MEMBER, VETERAN, MODERATOR]);
    expect(changes()).toStrictEqual([`101 +${VETERAN}`, `101 -${RECRUIT}`, `101 -${ELITE}`]);
    // Of this person nothing is stored here, whatever roles they have.
    expect(rolesOf("555")).toStrictEqual([MEMBER, RECRUIT]);
    expect(await follower.outcomeOf("555")).toBeUndefined();
  });

  test("changes that follow each other cost one comparison, with the newest rank", async () => {
    inGroup({ "101": [MEMBER] });
    await follow({ quietMs: 600 });
    await follower.hold();
    await until(isSynced);
    for (const amount of [100, 900, 9_000]) await clan.award("101", { amount });
    await until(() => rolesOf("101").includes(ELITE));
    expect(changes()).toStrictEqual([`101 +${ELITE}`]);
    expect(roblox.seen.filter(({ query }) => query.has("filter"))).toHaveLength(1);
  });

  test("a failure is retried with the newest rank, whatever form the responses have", async () => {
    inGroup({ "101": [MEMBER], "102": [MEMBER] });
    await follow();
    await follower.hold();
    await until(isSynced);
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
    await until(isSynced);
    const awards = { "1": 100, "2": 100, "3": 10_000, "4": 100, x5: 100, "5": 100, "6": 100 };
    for (const [platformId, amount] of Object.entries(awards)) await clan.award(platformId, { amount });
    await until(async () => ((await follower.outcomes())["synced"] ?? 0) === 2);
    await until(async () => (await follower.outcomes())["waiting"] === undefined);
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
