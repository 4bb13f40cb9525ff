// Behind a router (mongos), a statement that does not name the shard key is sent to every shard. What each statement
// names, and which index it reads, is what MongoDB's profiler noted while a clan lived.
import { afterAll, beforeAll, expect, test } from "vitest";
import { callerAwardKey } from "#domain/award-key.ts";
import { scopes } from "#domain/scope.ts";
import { systemClock } from "#process/clock.ts";
import { makeActivityStore } from "#activity/store/activity-store.ts";
import { makeXpHistoryStore } from "#members/store/xp-history-store.ts";
import { makeLeaderboardStore } from "#members/store/leaderboard-store.ts";
import { openLedger } from "../../../apps/cli/open/ledger.ts";
import { makeStores } from "../../../apps/cli/open/stores.ts";
import { ONLY_DELAYS, patientCliOn } from "../../support/cli.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { reversalsOf } from "../../support/reversals.ts";
import { makeWorld, type World } from "../../support/world.ts";

type Noted = {
  op: "query" | "command" | "insert" | "update" | "remove" | "getmore";
  ns: string;
  command: any;
  planSummary?: string;
};

const HOUR_MS = 3_600_000;

let world: World;
let noted: Noted[] = [];
beforeAll(async () => {
  world = await makeWorld();
  const db = world.database.db();
  await db.createCollection("system.profile", { capped: true, size: 64 * 1024 * 1024 });
  await db.command({ profile: 2 });
  await liveInClans();
  await db.command({ profile: 0 });
  const found = await db.collection<any>("system.profile").find({}).toArray();
  const name = world.database.db().databaseName;
  const ofSharded = new Set(["ledger", "members", "members clanId"].map((collection) => `${name}.${collection}`));
  noted = found.filter(({ ns, op, command }) => ofSharded.has(ns) && op !== "getmore" && isAboutDocuments(command));
}, 120_000);
afterAll(() => world.close());

const isAboutDocuments = (command: any): boolean => !command.createIndexes && !command.listIndexes && !command.create;

const ok = (reply: { status: number }): unknown => expect([200, 202]).toContain(reply.status);

/** Every kind of statement on members and entries. */
async function liveInClans(): Promise<void> {
  const [{ port }] = await Promise.all([world.startApi(), world.startWorker()]);
  const [clan, other] = await Promise.all([
    makeClanCaller(world, port, {}, scopes),
    makeClanCaller(world, port, {}, scopes),
  ]);
  for (const each of [clan, other]) await award(each);
  await awardTogether([other.clanId, clan.clanId]);
  // Another process has no head in its cache.
  const later = await world.startApi();
  ok(await clan.on(later.port).award("first", { amount: 3 }));
  await reverse(clan);
  await list(clan);
  await runCommands(clan);
}

async function award(clan: ClanCaller): Promise<void> {
  // The last one is a retry.
  for (const index of [1, 2, 3, 1]) {
    const sent = { amount: 100 + index, reason: "won", source: { matchId: "match" } };
    ok(await clan.award("first", sent, { "idempotency-key": `award-${index}` }));
  }
  const both = ["first", "second"].map((platformId, index) => ({ platformId, amount: index + 1 }));
  ok(await clan.awards(both));
  ok(await clan.submit(both));
  await world.members.join({ clanId: clan.clanId, platformId: "third" }, new Date(), "Officer");
}

/** Awards that are submitted in one turn of the event loop share a commit. */
async function awardTogether(clanIds: readonly string[]): Promise<void> {
  const clock = systemClock;
  const { committer, close } = openLedger({ ...makeStores(world.database), clans: world.clans, clock });
  const awards = ["d", "a", "c", "b", "a"].flatMap((platformId, index) =>
    clanIds
      .toSorted()
      .toReversed()
      .map((clanId) => ({ clanId, platformId, key: callerAwardKey(`together-${index}`) })),
  );
  const facts = { amount: 1n, fingerprint: "f", apiKeyId: "key" };
  for (const outcome of await Promise.all(awards.map((each) => committer.submit({ ...each, ...facts }, HOUR_MS))))
    expect(outcome.kind).toBe("applied");
  await close();
}

async function reverse(clan: ClanCaller): Promise<void> {
  const batch = await world.database.db().collection<any>("batches").findOne({ clanId: clan.clanId });
  const { awardId } = (await clan.get("/members/first/ledger")).body.entries.at(-1);
  const from = new Date(Date.now() - HOUR_MS).toISOString();
  const to = new Date(Date.now() + HOUR_MS).toISOString();
  const reversals = reversalsOf(clan);
  await reversals.preview({ matchId: "match", from });
  for (const by of [
    { platformId: "first", awardId },
    { batchId: batch._id },
    { matchId: "match", from },
    { platformId: "first", from, to },
  ])
    await reversals.reverseNow(by, "second cheated");
}

/** Through the API, and what the dashboard shows. */
async function list(clan: ClanCaller): Promise<void> {
  for (const query of [
    "",
    "?sort=platformId",
    "?limit=1",
    ...["", "&sort=xp", "&sort=platformId"].map((sort) => `?idleSince=2031-05-01T12:00:00Z${sort}`),
    "?around=first",
    "?platformIds=first,second",
    "/first?include=position",
    "/first/ledger",
  ])
    ok(await clan.get(`/members${query}`));
  const span = "from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z";
  for (const path of [`/gains?${span}`, `/members/first/gains?every=month&${span}`]) ok(await clan.get(path));
  const { clanId } = clan;
  await world.members.count(clanId);
  await world.members.countGroups(clanId, [100n]);
  await world.members.listHolders(clanId, { kind: "appointed", rankId: "Officer" }, { limit: 1, after: null });
  await makeLeaderboardStore(world.database).total(clanId);
  const activity = makeActivityStore(world.database);
  await activity.minutes(clanId, { from: new Date(Date.now() - HOUR_MS), to: new Date() });
  await activity.newest(clanId, 10);
  await activity.oldestAt(clanId);
  const history = makeXpHistoryStore(world.database);
  const member = { clanId, platformId: "first" };
  await history.ends(member);
  await history.seqBefore(member, { at: new Date(), first: 1, last: 3 });
  await history.highest(member, { fromSeq: 1, toSeq: 3, from: new Date(0), spanMs: 1 });
}

async function runCommands({ clanId }: ClanCaller): Promise<void> {
  const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  const done = async (...args: string[]): Promise<void> => {
    const { exitCode, stderr } = await cli.run(...args);
    expect([exitCode, args, stderr]).toStrictEqual([0, args, expect.stringMatching(ONLY_DELAYS)]);
  };
  await done("member", "list", clanId);
  for (const what of ["members", "ledger"]) await done("export", clanId, what);
  await done("audit", "list", "--clan", clanId);
  await done("reconcile", "--clan", clanId);
  await done("reconcile");
  await done("rebuild", "--clan", clanId);
  // Both mostly wait.
  await Promise.all([
    done("member", "erase", clanId, "second", "--yes"),
    done("member", "erase", "--all-clans", "first", "--yes"),
  ]);
}

const collectionOf = ({ ns }: Noted): string => ns.slice(ns.indexOf(".") + 1);
const filterOf = ({ command }: Noted): any =>
  command.q ?? command.filter ?? command.query ?? command.pipeline?.[0].$match ?? {};
const isRange = (value: any): boolean => Object.keys(value).some((name) => name.startsWith("$"));

/** Whether a router derives the shards from it: `_id.clanId`, and `_id` for members. */
function namesShardKey(one: Noted, filter = filterOf(one)): boolean {
  if (collectionOf(one) === "members") return filter._id !== undefined;
  const isWhole = filter._id !== undefined && !isRange(filter._id);
  return (
    isWhole ||
    filter["_id.clanId"] !== undefined ||
    filter.$and?.some((part: any) => namesShardKey(one, part)) === true ||
    filter.$or?.every((part: any) => namesShardKey(one, part)) === true
  );
}

/** Those of all clans, and the positions in the leaderboard, which are read from its index alone. */
const OF_EVERY_SHARD = [
  "ledger batchId",
  "ledger $and",
  "ledger kind reason _id.platformId",
  "members",
  "members clanId",
];

test("every statement on entries and members names the shard key, unless it is about all clans", () => {
  const [named, others] = [noted.filter(({ op }) => op !== "insert"), new Set<string>()];
  for (const each of named)
    if (!namesShardKey(each)) others.add([collectionOf(each), ...Object.keys(filterOf(each))].join(" "));
  expect([...others].toSorted()).toStrictEqual(OF_EVERY_SHARD.toSorted());
  // All kinds were seen.
  const seen = new Set(named.map((each) => `${each.op} ${collectionOf(each)}`));
  for (const op of ["query", "command", "update", "remove"])
    for (const collection of ["ledger", "members"]) expect(seen).toContain(`${op} ${collection}`);
});

test("no statement reads a whole collection, and one by `_id` reads the index of it", () => {
  for (const { op, planSummary = "", command } of noted.filter((each) => each.op !== "insert"))
    expect([planSummary, op, command]).not.toStrictEqual([expect.stringContaining("COLLSCAN"), op, command]);
  const byId = noted.filter(
    (each) => each.op !== "insert" && filterOf(each)._id !== undefined && !filterOf(each).clanId,
  );
  expect(byId.length).toBeGreaterThan(20);
  for (const { planSummary } of byId)
    expect(planSummary).toMatch(/^(IDHACK|(EXPRESS_)?(IXSCAN|COUNT_SCAN) \{ _id: 1 \})/);
});

test("a commit of awards of several clans has the entries of one clan, and of one member, next to each other", () => {
  const inserts = noted
    .filter(({ op, ns }) => op === "insert" && ns.endsWith(".ledger"))
    .map(({ command }) => command.documents.map(({ _id }: any) => `${_id.clanId} ${_id.platformId}`) as string[]);
  expect(inserts.some((members) => new Set(members.map((member) => member.split(" ")[0])).size > 1)).toBe(true);
  for (const members of inserts) expect(members).toStrictEqual(members.toSorted());
});
