import { expect, test } from "vitest";
import { ClanXp } from "../../../clients/typescript/src/index.ts";
import { midWeek } from "../../support/boards.ts";
import { cliOn } from "../../support/cli.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi();

/** A new clan, its client, and its caller without one. */
async function newClan() {
  const own = await makeClanCaller(world, port);
  const clan = new ClanXp({ baseUrl: `http://127.0.0.1:${port}`, clanId: own.clanId, apiKey: own.key });
  return { own, clan };
}

test("the TypeScript client sets names, returns them with members, and rejects other values before it sends anything", async () => {
  const { own, clan: namer } = await newClan();
  await namer.award("1", 5);
  expect(await namer.setNames([{ platformId: "1", name: "Builderman" }])).toStrictEqual({ stored: 1 });
  expect((await own.get("/members/1?include=name")).body.name).toBe("Builderman");
  await namer.setNames([{ platformId: "1", hidden: true }]);
  const [stored] = await world.database.db().collection("names").find({ clanId: own.clanId }).toArray();
  expect(stored).toMatchObject({ name: "Builderman", hiddenBy: ["game"] });
  await namer.setNames([{ platformId: "1", name: null }]);
  expect((await own.get("/members/1?include=name")).body.name).toBeNull();
  const many = Array.from({ length: 230 }, (_, index) => ({ platformId: String(index), name: `Player ${index}` }));
  expect(await namer.setNames(many)).toStrictEqual({ stored: 230 });
  await namer.awards(["0", "229"].map((platformId) => ({ platformId, amount: 1 })));
  const last = await namer.member("229", { name: true, position: true });
  expect(last).toMatchObject({ name: "Player 229", position: { value: 2, of: 3 } });
  expect((await namer.membersById(["0", "nobody"], { name: true })).members).toMatchObject([{ name: "Player 0" }]);
  expect((await namer.around("229", { name: true }))?.members.map(({ name }) => name)).toContain("Player 229");
  for await (const { platformId, name } of namer.members({ name: true })) expect(name).toBe(`Player ${platformId}`);
  expect(await namer.member("229")).not.toHaveProperty("name");
  const twice = [many[0], ...many];
  for (const bad of [
    [],
    [{ platformId: "a b", name: "n" }],
    [{ platformId: "1", name: 5 }],
    [{ platformId: "1" }],
    {},
    twice,
  ])
    await expect(namer.setNames(bad as never)).rejects.toMatchObject({ code: "invalid_argument" });
});

test("the TypeScript client reads who gained how much in a span, and waits while it is counted", async () => {
  const { own, clan: counted } = await newClan();
  const awards = Array.from({ length: 60 }, (_, index) => ({ platformId: `p${100 + index}`, amount: 100 - index }));
  await counted.awards(awards);
  const span = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000).toISOString() };
  const ids = awards.map(({ platformId }) => platformId);
  const all = async (options = {}) => {
    const found: string[] = [];
    for await (const { platformId } of counted.gains({ ...span, ...options })) found.push(platformId);
    return found;
  };
  // Another process counts in the clan, for now.
  const claim = { _id: `claim/${own.clanId}` };
  const gains = world.database.db().collection<{ _id: string }>("gains");
  const expiresAt = new Date(Date.now() + 3_600_000);
  await gains.insertOne({ ...claim, clanId: own.clanId, holder: "other", claimedUntil: expiresAt, expiresAt } as never);
  const waiting = all();
  expect((await own.get(`/gains?from=${span.from.toISOString()}&to=${span.to}`)).status).toBe(202);
  await gains.updateOne(claim, { $set: { claimedUntil: new Date(0) } });
  expect(await waiting).toStrictEqual(ids);
  expect(await all({ order: "least" })).toStrictEqual(ids.toReversed());
  expect(await all({ around: "p150" })).toStrictEqual(ids.slice(45));
  expect(await all({ around: "nobody" })).toStrictEqual([]);
  const page = await counted.gainsPage({ ...span, platformIds: ["p101", "nobody"], name: true });
  expect(page).toMatchObject({ members: [{ platformId: "p101", xp: "99", name: null }], missing: ["nobody"] });
  expect(await counted.gainsPage({ ...span, around: "nobody" })).toBeNull();
  const every = { every: "month", timeZone: "Europe/Berlin", ...span } as const;
  const months = await counted.memberGains("p100", every);
  expect(months?.gains.reduce((sum, { xp }) => sum + Number(xp), 0)).toBe(100);
  expect(await counted.memberGains("nobody", every)).toBeNull();
  await expect(counted.memberGains("p100", { ...every, timeZone: "Mars" })).rejects.toMatchObject({
    code: "invalid_request",
  });
});

test("the TypeScript client returns positions, members by id, and the leaderboard around a member", async () => {
  const { clan: board } = await newClan();
  const ids = Array.from({ length: 130 }, (_, index) => `p${100 + index}`);
  for (const group of [ids.slice(0, 100), ids.slice(100)])
    await board.awards(group.map((platformId) => ({ platformId, amount: 1_000 - Number(platformId.slice(1)) })));
  expect(await board.member("p100", { position: true })).toMatchObject({
    xp: "900",
    position: { value: 1, of: 130, approximate: false },
    lastAwardAt: expect.stringMatching(/Z$/),
  });
  expect(await board.member("p101")).not.toHaveProperty("position");
  const found = await board.membersById(["x", ...ids.toReversed(), "y"], { position: true });
  expect(found.members.map(({ platformId }) => platformId)).toStrictEqual(ids.toReversed());
  expect(found.members.map(({ position }) => position?.value)).toStrictEqual(ids.map((_, index) => 130 - index));
  expect(found.missing).toStrictEqual(["x", "y"]);
  expect(await board.membersById([])).toStrictEqual({ members: [], missing: [] });
  const around = await board.around("p150", { limit: 3 });
  const places = around?.members.map(({ platformId, position }) => `${platformId} ${position?.value}`);
  expect(places).toStrictEqual(["p149 50", "p150 51", "p151 52"]);
  expect((await board.around("p150"))?.members).toHaveLength(11);
  expect(await board.around("nobody")).toBeNull();
  for (const wrong of [
    () => board.membersById(["a", "a"]),
    () => board.membersById(["a b"]),
    () => board.around("a", { limit: 0 }),
    () => board.member("a", { position: 1 as unknown as boolean }),
    () => board.around("a", { position: true } as object),
  ])
    await expect(wrong()).rejects.toMatchObject({ code: "invalid_argument" });
});

test("the TypeScript client returns boards, and the standings of their periods", async () => {
  const { own, clan } = await newClan();
  const cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, CLANXP_ACTOR: "ada" });
  await cli.json("board", "set", own.clanId, "weekly", ...midWeek());
  expect(await clan.boards()).toMatchObject([{ boardId: "weekly", every: "week", current: { status: "open" } }]);
  await clan.awards(["a", "b", "c"].map((platformId, index) => ({ platformId, amount: 90 - index })));
  await until(async () => (await clan.standings("weekly")).members.length === 3);
  const { period, members } = await clan.standings("weekly", { limit: 2 });
  expect(members).toMatchObject([
    { platformId: "a", xp: "90", position: 1 },
    { platformId: "b", xp: "89", position: 2 },
  ]);
  const named = await clan.standings("weekly", { period: period.periodId, platformIds: ["c", "x"] });
  expect(named).toMatchObject({ members: [{ platformId: "c", position: 3 }], missing: ["x"] });
  const around = await clan.standings("weekly", { around: "c", limit: 1 });
  expect(around?.members).toMatchObject([{ platformId: "c" }]);
  await clan.setNames([{ platformId: "b", name: "Builderman" }]);
  const { members: two } = await clan.standings("weekly", { limit: 2, name: true });
  expect(two.map(({ name }) => name)).toStrictEqual([null, "Builderman"]);
  expect(await clan.standings("weekly", { around: "nobody" })).toBeNull();
  await expect(clan.standings("monthly")).rejects.toMatchObject({ code: "board_not_found" });
  await expect(clan.standings("weekly", { period: "previous" })).rejects.toMatchObject({ code: "period_not_found" });
  await expect(clan.standings("a/b")).rejects.toMatchObject({ code: "invalid_argument" });
});
