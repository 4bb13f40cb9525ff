// A chart of a member's XP shows the highest XP of each span, as a plain loop over the entries finds it, however many
// there are.
import { expect, test } from "vitest";
import type { Entry } from "#domain/entry.ts";
import { historyRanges, type HistoryRange } from "#domain/time-range.ts";
import { systemClock } from "#process/clock.ts";
import { docOfEntry, type EntryDoc } from "#ledger/store/entry-model.ts";
import { makeXpHistoryStore } from "#members/store/xp-history-store.ts";
import { makeReadXpHistory, type XpPoint } from "#members/read-xp-history.ts";
import { chanceOf } from "../../support/chance.ts";
import { makeEntry } from "../../support/entry.ts";
import { seedOfRun } from "../../support/seed.ts";
import { useWorld } from "../../support/use-api.ts";

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
const now = new Date("2026-11-20T10:37:20.000Z");
const entriesTogether = 500;
const clock = { ...systemClock, now: () => now };

const world = await useWorld();

type Read = { points: XpPoint[]; until: Date };

/** Once it was read. */
async function history(platformId: string, range: HistoryRange): Promise<Read> {
  const read = makeReadXpHistory({ store: makeXpHistoryStore(world.database), clock, entriesTogether });
  for (;;) {
    const { points, until } = await read({ clanId: "c", platformId }, range);
    if (points) return { points, until };
  }
}

/** Entries at these times, oldest first, with rises and falls. */
async function insert(platformId: string, agesMs: readonly number[]): Promise<Entry[]> {
  const chance = chanceOf(seedOfRun());
  let xp = 0n;
  const entries = agesMs
    .toSorted((a, b) => b - a)
    .map((ageMs, index) => {
      xp += BigInt(chance.int(-40, 60));
      return makeEntry({ platformId, seq: index + 1, key: `=${index}`, xp, at: new Date(now.getTime() - ageMs) });
    });
  await world.database.db().collection<EntryDoc>("ledger").insertMany(entries.map(docOfEntry));
  return entries;
}

/** The highest XP of each span, and what it was before it. */
function expectExact(entries: readonly Entry[], { points, until }: Read): void {
  for (const [index, { at, xp }] of points.entries()) {
    const to = points[index + 1]?.at ?? until;
    const before = entries.findLast((entry) => entry.at < at);
    const inside = entries.filter((entry) => entry.at >= at && entry.at < to);
    const xps = [...(before ? [before] : []), ...inside].map((entry) => entry.xp);
    expect(xp).toBe(xps.length === 0 ? null : xps.reduce((a, b) => (b > a ? b : a)));
  }
}

test("every range shows the highest XP of each of its spans", async () => {
  const chance = chanceOf(seedOfRun());
  const ages = Array.from({ length: 2_000 }, () => chance.int(0, chance.pick([1, 6, 29, 60]) * DAY_MS));
  const entries = await insert("many", ages);
  for (const range of historyRanges) {
    const found = await history("many", range);
    expect([found.points.length > 100, found.points.length <= 120]).toEqual([true, true]);
    expectExact(entries, found);
    expect(found.points.at(-1)?.xp).not.toBeNull();
  }
});

test("a member with one entry, and one whose entries are all older than the range", async () => {
  const one = await insert("one", [10_000]);
  for (const range of historyRanges) expectExact(one, await history("one", range));
  const old = await insert("old", [40 * DAY_MS, 41 * DAY_MS]);
  for (const range of historyRanges) expectExact(old, await history("old", range));
  expect((await history("old", "24h")).points.every(({ xp }) => xp === old.at(-1)?.xp)).toBe(true);
  expect((await history("nobody", "all")).points).toEqual([]);
});

test("of more entries than are read together, each point is still the highest XP of its span", async () => {
  const count = 3 * entriesTogether + 7;
  const entries = await insert(
    "busy",
    Array.from({ length: count }, (_, index) => index * MINUTE_MS),
  );
  // One entry among all, which no selection of some of them would find.
  const peak = entries[entriesTogether + 123];
  if (!peak) throw new Error("there are fewer entries");
  peak.xp = 10n ** 12n;
  await world.database
    .db()
    .collection<EntryDoc>("ledger")
    .updateOne({ key: peak.key, "_id.platformId": "busy" }, { $set: { xp: peak.xp } });
  const all = await history("busy", "all");
  expectExact(entries, all);
  expect(all.points.filter(({ xp }) => xp === peak.xp)).toHaveLength(1);
  expectExact(entries, await history("busy", "30d"));
  expectExact(entries, await history("busy", "24h"));
});

test("a page that waits too long for so many entries asks again, and they are read once", async () => {
  const store = makeXpHistoryStore(world.database);
  const [{ promise: released, resolve: release }, reads] = [Promise.withResolvers<void>(), new Set<number>()];
  const read = makeReadXpHistory({
    clock,
    entriesTogether,
    store: {
      ...store,
      async highest(member, entries) {
        expect(reads.has(entries.fromSeq)).toBe(false);
        reads.add(entries.fromSeq);
        await released;
        return store.highest(member, entries);
      },
    },
  });
  const busy = { clanId: "c", platformId: "busy" };
  const waiting = await Promise.all([read(busy, "all"), read(busy, "all")]);
  expect(waiting.map(({ points }) => points)).toEqual([null, null]);
  release();
  await expect.poll(async () => (await read(busy, "all")).points).not.toBeNull();
  expect(reads.size).toBe(4);
});
