// The list of a clan's awards: each filter selects what a look at every entry selects, in pages that follow each other
// without gaps or repeats, and no page looks at more entries than it may.
import { expect, test } from "vitest";
import { CANCELLATION } from "#domain/award-key.ts";
import type { Entry } from "#domain/entry.ts";
import { makeAwardList } from "#ledger/store/award-list.ts";
import { docOfEntry, type EntryDoc } from "#ledger/store/entry-model.ts";
import type { AwardFilter, AwardPosition } from "#members/ports.ts";
import { chanceOf } from "../../../support/chance.ts";
import { makeEntry } from "../../../support/entry.ts";
import { examinedIn, profiled } from "../../../support/profiled.ts";
import { seedOfRun } from "../../../support/seed.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();
const list = makeAwardList(world.database);
const ALL: AwardFilter = {
  platformIds: null,
  by: null,
  matchId: null,
  reason: null,
  atLeast: null,
  from: null,
  to: null,
};
const EXAMINED = 100;

async function insert(entries: readonly Entry[]): Promise<void> {
  await world.database.db().collection<EntryDoc>("ledger").insertMany(entries.map(docOfEntry));
}

const at = (ms: number): Date => new Date(Date.UTC(2026, 0, 1) + ms);
const idOf = ({ platformId, seq }: Pick<Entry, "platformId" | "seq">): string => `${platformId}/${seq}`;

/** The ids of all pages. */
async function listed(clanId: string, filter: Partial<AwardFilter>, limit = 7, examined = EXAMINED): Promise<string[]> {
  const ids: string[] = [];
  for (let after: AwardPosition | null = null, isFirst = true; isFirst || after; isFirst = false) {
    const page: Awaited<ReturnType<typeof list.page>> = await list.page(
      clanId,
      { ...ALL, ...filter },
      { limit, after, examined },
    );
    expect(page.items.length).toBeLessThanOrEqual(limit);
    ids.push(...page.items.map(idOf));
    after = page.next;
  }
  return ids;
}

/** Entries of six members, many of them in the same milliseconds. */
function history(clanId: string, count: number): Entry[] {
  const chance = chanceOf(seedOfRun());
  const seqs = new Map<string, number>();
  return Array.from({ length: count }, (_, index) => {
    const platformId = `p${chance.int(0, 5)}`;
    const seq = (seqs.get(platformId) ?? 0) + 1;
    seqs.set(platformId, seq);
    const isCancelled = chance.hits(0.05);
    const applied = BigInt(chance.int(-20, 100));
    return makeEntry({
      clanId,
      platformId,
      seq,
      key: `=${index}`,
      at: at(chance.int(0, count / 10)),
      applied,
      amount: applied,
      apiKeyId: chance.pick(["key-a", "key-b"]),
      ...(chance.hits(0.2) ? { actor: chance.pick(["ada", "vic"]) } : {}),
      ...(chance.hits(0.3) ? { reason: chance.pick(["Won a match", "50% (bonus)"]) } : {}),
      ...(chance.hits(0.5) ? { source: { matchId: `m-${chance.int(1, 4)}` } } : {}),
      ...(chance.hits(0.1) ? { kind: chance.pick(["reversal", "reset", "membership"] as const) } : {}),
      ...(isCancelled ? { batchId: "b", fingerprint: CANCELLATION } : {}),
    });
  });
}

test("each filter lists the awards that it selects once, newest first, whatever the size of the pages", async () => {
  const entries = history("lists", 1_200);
  await insert(entries);
  await insert(history("others", 50));
  const inOrder = (one: Entry, other: Entry): number =>
    Number(other.at) - Number(one.at) || other.platformId.localeCompare(one.platformId) || other.seq - one.seq;
  const awards = entries
    .filter(({ kind, fingerprint }) => kind === undefined && fingerprint !== CANCELLATION)
    .toSorted(inOrder);
  const [from, to] = [at(40), at(80)];
  const cases: [Partial<AwardFilter>, (one: Entry) => boolean][] = [
    [{}, () => true],
    [{ by: { keyId: "key-a" } }, ({ apiKeyId, actor }) => apiKeyId === "key-a" && actor === undefined],
    [{ by: { actor: "ada" } }, ({ actor }) => actor === "ada"],
    [{ matchId: "m-3" }, ({ source }) => source?.matchId === "m-3"],
    [{ reason: "won A" }, ({ reason }) => reason === "Won a match"],
    [{ reason: "% (" }, ({ reason }) => reason === "50% (bonus)"],
    [{ atLeast: 90n }, ({ applied }) => applied >= 90n],
    [{ from }, (one) => one.at >= from],
    [{ from, to }, (one) => one.at >= from && one.at < to],
    [{ platformIds: ["p1"] }, ({ platformId }) => platformId === "p1"],
    [{ platformIds: ["p1", "p4"], to }, (one) => ["p1", "p4"].includes(one.platformId) && one.at < to],
    [
      { platformIds: ["p2"], by: { actor: "vic" }, matchId: "m-1" },
      ({ platformId, actor, source }) => platformId === "p2" && actor === "vic" && source?.matchId === "m-1",
    ],
    [{ platformIds: [] }, () => false],
    [{ by: { actor: "nobody" } }, () => false],
  ];
  for (const [filter, selects] of cases) {
    const expected = awards.filter(selects).map(idOf);
    expect([filter, await listed("lists", filter)]).toEqual([filter, expected]);
    // Few of the entries of a part are selected, and a part has fewer entries than a millisecond.
    expect([filter, await listed("lists", filter, 50, 5)]).toEqual([filter, expected]);
    expect([filter, await listed("lists", filter, 500, 10_000)]).toEqual([filter, expected]);
  }
  expect(await list.people("lists", 10)).toEqual(["ada", "vic"]);
  expect(await list.people("lists", 1)).toEqual(["ada"]);
});

test("a filter that selects nothing looks at a bounded number of entries, and goes on where it ended", async () => {
  const entries = Array.from({ length: 3_000 }, (_, index) =>
    makeEntry({
      clanId: "large",
      platformId: `p${index % 100}`,
      seq: 1 + Math.floor(index / 100),
      key: `=${index}`,
      at: at(index),
    }),
  );
  await insert(entries);
  const ends: (number | null)[] = [];
  for (let after: AwardPosition | null = null; ends.at(-1) !== null;) {
    const page = { limit: 50, after, examined: 1_000 };
    const commands = await profiled(world, "ledger", async () => {
      const { items, next } = await list.page("large", { ...ALL, matchId: "none" }, page);
      expect(items).toEqual([]);
      after = next;
      ends.push(next && Number(next.at) - Number(at(0)));
    });
    expect(examinedIn(commands)).toBeLessThanOrEqual(1_000);
    expect(commands.every(({ planSummary }) => String(planSummary).startsWith("IXSCAN"))).toBe(true);
  }
  expect(ends).toEqual([2_000, 1_000, null]);
});

test("a page that is full at once reads little more than it returns, by time, by person and of a few members", async () => {
  const entries = Array.from({ length: 4_000 }, (_, index) => {
    const facts = { clanId: "busy", platformId: `p${index % 40}`, seq: 1 + Math.floor(index / 40), key: `=${index}` };
    return makeEntry({ ...facts, at: at(index), ...(index % 3 === 0 ? { actor: "ada" } : {}) });
  });
  await insert(entries);
  const cost = async (filter: Partial<AwardFilter>): Promise<number> => {
    const page = { limit: 50, after: null, examined: 2_000 };
    return examinedIn(await profiled(world, "ledger", () => list.page("busy", { ...ALL, ...filter }, page)));
  };
  expect(await cost({})).toBeLessThanOrEqual(200);
  expect(await cost({ by: { actor: "ada" } })).toBeLessThanOrEqual(200);
  // The entries of the member, and of no other.
  expect(await cost({ platformIds: ["p7"] })).toBe(100);
});
