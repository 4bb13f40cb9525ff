// The list of members by rank, by a search and by their last award: which members it has, how many were found, and what
// is exported.
import { expect, test } from "vitest";
import { MEMBERS_EXAMINED_MAX } from "#mongo/bounds.ts";
import { chanceOf } from "../../support/chance.ts";
import { seedOfRun } from "../../support/seed.ts";
import { until } from "../../support/until.ts";
import { type Visitor, useDashboard } from "./dashboard-world.ts";
import { pagesOf } from "./pages-of.ts";

const dashboard = await useDashboard();

type Facts = { xp: number; isMember?: boolean; appointedRank?: string; removed?: true; lastAwardAt?: Date };

/** A clan with these players, `p000` and so on, and a viewer of it. */
async function clanOf(name: string, players: readonly Facts[], changes = {}) {
  const { clanId, api, person: viewer } = await dashboard.newClan(name, "viewer", changes);
  const docs = players.map(({ xp, isMember = true, appointedRank = null, ...others }, index) => {
    const platformId = `p${String(index).padStart(5, "0")}`;
    const ids = { _id: `${clanId}/${platformId}`, clanId, platformId };
    const membership = isMember ? { since: new Date(0) } : null;
    return { ...ids, xp: BigInt(xp), seq: 1, membership, appointedRank, lastAwardAt: null, ...others };
  });
  await dashboard.world.database.db().collection<{ _id: string }>("members").insertMany(docs);
  return { viewer, path: `${api}/members` };
}

/** What the pages of a list have. */
async function listed(viewer: Visitor, path: string): Promise<{ ids: string[]; ranks: string[]; found: unknown }> {
  let pages: any[] = [];
  // Null while the members of a rank are counted for the first time.
  await until(async () => {
    pages = await pagesOf(viewer, path);
    return pages[0].found !== null;
  });
  const members: { platformId: string; rank: string }[] = pages.flatMap((page) => page.members);
  // Once, with the first page.
  expect(pages.slice(1).every(({ found }) => found === null)).toBe(true);
  const ids = members.map(({ platformId }) => platformId);
  return { ids, ranks: members.map(({ rank }) => rank), found: pages[0].found };
}

async function exported(viewer: Visitor, path: string): Promise<string[]> {
  const lines: string[] = (await viewer.get(path)).body.trim().split("\n").slice(1);
  return lines.map((line) => line.split(",")[0] ?? "");
}

const NOT_BY_XP = [
  { name: "Guest", kind: "GUEST" },
  { name: "Officer", kind: "STAFF" },
];

test.each([
  ["with ranks by XP", {}],
  ["without ranks by XP", { ranks: NOT_BY_XP }],
])("in a clan %s, each rank has the members whose rank it is, in the leaderboard's order", async (name, changes) => {
  const chance = chanceOf(seedOfRun());
  const players = Array.from({ length: 260 }, (): Facts => {
    const isMember = chance.int(0, 3) > 0;
    return {
      xp: chance.pick([0, 99, 100, 999, 1_000, 9_999, 10_000, chance.int(0, 12_000)]),
      isMember,
      // A rank that the clan no longer has counts for nothing.
      ...(isMember && chance.int(0, 4) === 0 ? { appointedRank: chance.pick(["Officer", "Chief", "Old"]) } : {}),
      ...(isMember || chance.int(0, 1) === 0 ? {} : { removed: true as const }),
    };
  });
  const { viewer, path } = await clanOf(name.replaceAll(" ", "-"), players, changes);
  const all = await listed(viewer, path);
  expect(all.found).toEqual({ value: all.ids.length, accuracy: "exact" });
  for (const rank of ["Guest", "Recruit", "Veteran", "Elite", "Officer", "Chief"]) {
    const of = all.ids.filter((_, index) => all.ranks[index] === rank);
    const wanted = { ids: of, ranks: of.map(() => rank), found: { value: of.length, accuracy: "exact" } };
    expect([rank, await listed(viewer, `${path}?rank=${rank}`)]).toEqual([rank, wanted]);
    expect([rank, await exported(viewer, `${path}.csv?rank=${rank}`)]).toEqual([rank, of.toSorted()]);
  }
  // A search shows removed members, too.
  const found = await listed(viewer, `${path}?search=p000`);
  expect([found.ids.length, found.found]).toEqual([100, { value: 100, accuracy: "exact" }]);
  const both = await listed(viewer, `${path}?search=p000&rank=Officer`);
  const wanted = found.ids.filter((_, index) => found.ranks[index] === "Officer");
  expect([both.ids, both.found]).toEqual([wanted, { value: wanted.length, accuracy: "exact" }]);
  expect(await exported(viewer, `${path}.csv?search=p000&rank=Officer`)).toEqual(wanted);
});

test("a rank that nobody has, one that the clan has not, and a cursor of another list change nothing", async () => {
  const players = Array.from({ length: 60 }, (_, index) => ({ xp: index < 5 ? 20_000 : index }));
  const { viewer, path } = await clanOf("cursor", players);
  const none = { members: [], nextCursor: null, found: { value: 0, accuracy: "exact" } };
  expect((await viewer.get(`${path}?rank=Veteran`)).body).toEqual(none);
  expect((await viewer.get(`${path}?rank=Admiral`)).body).toEqual(none);
  // It is behind all members of the rank.
  const { nextCursor } = (await viewer.get(path)).body;
  expect((await viewer.get(`${path}?rank=Elite&cursor=${nextCursor}`)).body).toMatchObject({ members: [] });
  expect((await viewer.get(`${path}?rank=${"x".repeat(101)}`)).status).toBe(400);
  expect((await viewer.get(`${path}?search=p000&cursor=${nextCursor}`)).status).toBe(400);
});

test("members without an award for some days are listed and counted, the oldest award first, also of a rank or a search", async () => {
  const now = Date.now();
  // The first one is removed, and has never had an award.
  const days = [null, 1, 6, 8, 13, 15, 29, 31, 89, 91];
  const players = days.map((ago, index): Facts => {
    const xp = index < 6 ? 150 : 1_500;
    return ago === null
      ? { xp, isMember: false, removed: true }
      : { xp, lastAwardAt: new Date(now - ago * 86_400_000) };
  });
  const { viewer, path } = await clanOf("idle", players);
  const oldestFirst = players.map((_, index) => `p0000${index}`).toReversed();
  const idle = [...oldestFirst.slice(-1), ...oldestFirst.slice(0, -1)];
  for (const [filter, count] of Object.entries({ 7: 8, 14: 6, 30: 4, 90: 2 })) {
    const { ids, found } = await listed(viewer, `${path}?idleDays=${filter}`);
    expect([filter, ids, found]).toEqual([filter, idle.slice(0, count), { value: count, accuracy: "exact" }]);
    expect(await exported(viewer, `${path}.csv?idleDays=${filter}`)).toEqual(ids.toSorted());
  }
  const ofRank = await listed(viewer, `${path}?idleDays=7&rank=Recruit`);
  expect([ofRank.ids, ofRank.found]).toEqual([["p00003", "p00004", "p00005"], { value: 3, accuracy: "exact" }]);
  expect((await listed(viewer, `${path}?idleDays=90&search=p0000`)).ids).toEqual(["p00000", "p00009"]);
  for (const other of ["8", "", "7,14"]) expect((await viewer.get(`${path}?idleDays=${other}`)).status).toBe(400);
});

test("the last members of a large clan are found on one page, and the number says that it is approximate", async () => {
  const count = MEMBERS_EXAMINED_MAX + 50;
  const players = Array.from({ length: count }, (_, index): Facts => {
    return index < 2 ? { xp: 150 + index, appointedRank: "Chief" } : { xp: 200 + index };
  });
  const { viewer, path } = await clanOf("large", players);
  const chiefs = (await viewer.get(`${path}?rank=Chief`)).body;
  expect(chiefs.members.map(({ platformId }: any) => platformId)).toEqual(["p00001", "p00000"]);
  expect([chiefs.nextCursor, chiefs.found]).toEqual([null, { value: 2, accuracy: "exact" }]);
  expect((await viewer.get(path)).body.found).toEqual({ value: count, accuracy: "about" });
  expect((await viewer.get(`${path}?search=p`)).body.found).toEqual({ value: 1_000, accuracy: "atLeast" });
});
