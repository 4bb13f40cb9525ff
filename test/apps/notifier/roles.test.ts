// Roles of Roblox groups and Discord servers by a notifier: with the rights of its database user, and what people ask
// it to do.
import { afterAll, expect, test } from "vitest";
import type { Rank } from "#domain/rank.ts";
import { makeSealer } from "#delivery/couriers/sealer.ts";
import { systemClock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import { makeCallStore } from "#delivery/store/call-store.ts";
import { makeRoleSyncStore } from "#delivery/store/role-sync-store.ts";
import { makeEventFeed } from "#events/store/event-feed.ts";
import type { Call, CallResult } from "#delivery/call-ports.ts";
import type { NotifierApp } from "../../../apps/notifier/compose.ts";
import { testActor } from "../../support/actor.ts";
import { destinationsIn, notifierSettings } from "../../support/destinations.ts";
import { startFakeDiscord } from "../../support/fake-discord.ts";
import { startFakeRoblox } from "../../support/fake-roblox.ts";
import { until } from "../../support/until.ts";
import { useWorld } from "../../support/use-api.ts";

const [MEMBER, RECRUIT, VETERAN, ELITE] = ["1001", "1010", "1020", "1030"];

const [roblox, discord] = await Promise.all([startFakeRoblox(), startFakeDiscord()]);
afterAll(() => Promise.all([roblox.close(), discord.close()]));
const world = await useWorld();
const destinations = destinationsIn(world.database);
const calls = makeCallStore(world.database, makeIds(systemClock));
await world.startWorker();
let notifier = await startNotifier();

function startNotifier(): Promise<NotifierApp> {
  // The timeout is longer than a busy machine rests: a request is repeated after it.
  const config = { robloxApiUrl: roblox.url, discordApiUrl: discord.url, webhookTimeoutMs: 5_000 };
  return world.startNotifier({ config });
}

async function clanWith(members: Record<string, bigint>): Promise<string> {
  const { clanId } = (await world.makeClan()).clan;
  for (const [platformId, xp] of Object.entries(members)) {
    await world.members.join({ clanId, platformId }, new Date(), null);
    await world.setXp({ clanId, platformId }, xp);
  }
  // The clan's key, and of each member that they joined and their rank: what follows is not about them.
  const { end } = makeEventFeed(world.database);
  await until(async () => (await end(clanId)).n >= 1 + 2 * Object.keys(members).length);
  return clanId;
}

function follow(clanId: string, roles: Record<string, string>): Promise<string> {
  const mapping = { target: roblox.groupId, roles, requestsPerMinute: 60_000 };
  return destinations.add(clanId, { kind: "roblox-group", credential: roblox.key }, { mapping });
}

async function ask(call: Call): Promise<CallResult> {
  const result = await calls.ask(call, { timeoutMs: 30_000 });
  if (!result) throw new Error("no notifier answered");
  return result;
}

function inGroup(members: Record<string, string[]>): void {
  for (const [userId, roles] of Object.entries(members)) roblox.members.set(userId, new Set(roles));
}

const rolesOf = (userId: string): string[] => [...(roblox.members.get(userId) ?? [])].toSorted();

test("roles follow when the destination is added, by call, and over renamed ranks; a dry run changes nothing", async () => {
  inGroup({ "101": [MEMBER], "102": [MEMBER, ELITE], "103": [MEMBER, ELITE] });
  const clanId = await clanWith({ "101": 150n, "102": 1_500n });
  const destinationId = await follow(clanId, { Recruit: RECRUIT, Veteran: VETERAN, Elite: ELITE });
  await until(() => rolesOf("101").includes(RECRUIT) && !rolesOf("102").includes(ELITE));
  expect([rolesOf("102"), rolesOf("103")]).toStrictEqual([
    [MEMBER, VETERAN],
    [MEMBER, ELITE],
  ]);
  const outcomes = () => makeRoleSyncStore(world.database).outcomes(destinationId);
  await until(async () => (await outcomes()).synced === 2);

  roblox.members.get("101")?.add(ELITE);
  const all = { kind: "sync", rev: 0, destinationId, platformId: null, dryRun: true } as const;
  const difference = { platformId: "101", rank: "Recruit", has: [RECRUIT, ELITE], wants: [RECRUIT] };
  expect(await ask(all)).toStrictEqual({ sync: { members: 2, changed: 0, differences: [difference] } });
  expect(rolesOf("101")).toContain(ELITE);
  expect(await ask({ ...all, platformId: "101", dryRun: false })).toMatchObject({ sync: { members: 1, changed: 1 } });
  expect(rolesOf("101")).toStrictEqual([MEMBER, RECRUIT]);

  const seen = roblox.seen.length;
  const renamed = {
    ranks: (ranks: readonly Rank[]) =>
      ranks.map((rank) => (rank.name === "Recruit" ? { ...rank, name: "Rookie" } : rank)),
    renames: new Map([["Recruit", "Rookie"]]),
  };
  await world.clans.change(clanId, renamed, testActor);
  await until(() => roblox.seen.length > seen);
  const { mapping } = (await destinations.store.read(destinationId))?.destination ?? {};
  expect(mapping?.roles).toStrictEqual({ Rookie: RECRUIT, Veteran: VETERAN, Elite: ELITE });
  expect(await ask(all)).toMatchObject({ sync: { members: 2, differences: [] } });
});

test("a check of a credential names the roles, which cannot be used and why, and never the credential", async () => {
  const clanId = await clanWith({});
  const inspect = async (destinationKind: "roblox-group" | "discord-roles", target: string, credential: string) => {
    const secret = JSON.stringify({ kind: destinationKind, credential });
    const sealed = makeSealer(`${notifierSettings.secretsKey}`).seal(secret, clanId);
    return (await ask({ kind: "inspect", clanId, destinationKind, target, sealed })).inspect;
  };
  const group = await inspect("roblox-group", roblox.groupId, roblox.key);
  expect(group?.fault).toBeNull();
  expect(group?.roles).toContainEqual({ roleId: RECRUIT, name: "Recruit", isUsable: true });
  expect(group?.roles.find(({ name }) => name === "Owner")).toMatchObject({ isUsable: false });
  const server = await inspect("discord-roles", discord.serverId, discord.token);
  expect(server?.roles.find(({ name }) => name === "Moderator")).toMatchObject({
    isUsable: false,
    whyNot: expect.stringContaining("drag the bot's role above it"),
  });
  const wrong = await inspect("discord-roles", discord.serverId, "not-this-one");
  expect(wrong).toStrictEqual({ fault: expect.stringContaining("Discord rejects the bot token"), roles: [] });
  expect(JSON.stringify(wrong)).not.toContain("not-this-one");
});

test("a test of roles reports by its name why there was no response", async () => {
  const destinationId = await follow(await clanWith({}), { Recruit: RECRUIT });
  for (const [misbehavior, error] of [
    ["hang", "timeout"],
    ["close", "connection"],
  ] as const) {
    roblox.odd.push({ matches: ({ path }) => path.endsWith("/roles"), replies: [misbehavior] });
    expect((await ask({ kind: "test", rev: 0, destinationId })).test).toMatchObject({ status: null, error });
  }
  expect((await ask({ kind: "test", rev: 0, destinationId })).test).toMatchObject({ error: null });
});

test("another notifier completes a full sync in Discord within its limits, without one 429", async () => {
  const [recruit, veteran, moderator] = ["700000000000000010", "700000000000000020", "700000000000000099"];
  const ids = Array.from({ length: 12 }, (_, index) => `80351110224${678_900 + index}`);
  for (const id of ids) discord.members.set(id, new Set([recruit, moderator]));
  const clanId = await clanWith(Object.fromEntries([...ids, "101"].map((id) => [id, 1_500n])));
  Object.assign(discord.limit, { requests: 6, windowMs: 300 });
  const mapping = { target: discord.serverId, roles: { Recruit: recruit, Veteran: veteran }, requestsPerMinute: 120 };
  const id = await destinations.add(clanId, { kind: "discord-roles", credential: discord.token }, { mapping });
  await until(() => discord.seen.some(({ method }) => method === "PUT"));
  await notifier.close();
  notifier = await startNotifier();
  const { outcomes } = makeRoleSyncStore(world.database);
  await until(async () => (await outcomes(id)).synced === ids.length);
  for (const member of ids) expect([...(discord.members.get(member) ?? [])]).toStrictEqual([moderator, veteran]);
  expect(await outcomes(id)).toMatchObject({ synced: ids.length, not_an_id: 1, waiting: 0 });
  expect(discord.replies.filter(({ status }) => status === 429)).toHaveLength(0);
});
