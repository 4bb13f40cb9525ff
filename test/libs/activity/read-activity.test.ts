// The sums of a range are those of the ledger, however its hours were counted, and whatever changed the ledger since.
import { expect, test } from "vitest";
import { makeReadCounted } from "#activity/count-hours.ts";
import type { CountedHours } from "#activity/ports.ts";
import { makeReadActivity, type ReadActivity, type SpanSums } from "#activity/read-activity.ts";
import type { Entry } from "#domain/entry.ts";
import { spansOf, timeRanges, type Span } from "#domain/time-range.ts";
import { timeZoneOf } from "#domain/time-zone.ts";
import { systemClock } from "#process/clock.ts";
import { makeActivityStore } from "#activity/store/activity-store.ts";
import { makeCountedHours, makeForgetHours } from "#activity/store/counted-hours.ts";
import { docOfEntry, type EntryDoc } from "#ledger/store/entry-model.ts";
import { chanceOf } from "../../support/chance.ts";
import { makeEntry } from "../../support/entry.ts";
import { seedOfRun } from "../../support/seed.ts";
import { useWorld } from "../../support/use-api.ts";
import { testLog } from "../../support/world.ts";

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
/** How much later one of the tests reads again. */
const LATER_MS = 5 * HOUR_MS;
const TOTALS = { members: 0, memberships: 0, xp: 0n, asOf: new Date(0) };
const kolkata = timeZoneOf("Asia/Kolkata");
const now = new Date("2026-11-20T10:37:20.000Z");

const world = await useWorld();

const ledger = () => world.database.db().collection<EntryDoc>("ledger");
const insert = (entries: readonly Entry[]) => ledger().insertMany(entries.map(docOfEntry));

/** A dashboard that has just started. `nowMs` of its clock can be set. */
function newReader(changes: Partial<CountedHours> = {}): ReadActivity & { at: { ms: number } } {
  const at = { ms: now.getTime() };
  const clock = { ...systemClock, now: () => new Date(at.ms) };
  const store = makeActivityStore(world.database);
  const hours = { ...makeCountedHours(world.database), ...changes };
  const readCounted = makeReadCounted({ store, hours, clock, log: testLog });
  const read = makeReadActivity({ store, readCounted, leaderboard: { totals: async () => TOTALS }, clock });
  return Object.assign(read, { at });
}

const isCounted = (list: readonly SpanSums[]): boolean => list.every((span) => span.isCounted);

/** All of the range, once it is counted. */
async function readAll(read: ReadActivity, clanId: string, range: (typeof timeRanges)[number]) {
  if (!kolkata) throw new Error("no such zone");
  for (;;) {
    const activity = await read(clanId, range, kolkata);
    if (isCounted(activity.before) && isCounted(activity.spans)) return activity;
  }
}

/** What a plain loop over all entries finds: an award with the reversals of it, by who gave it. */
function sumOf(entries: readonly Entry[], { fromMs, toMs }: Span): SpanSums {
  const inside = entries.filter(({ at }) => at.getTime() >= fromMs && at.getTime() < toMs);
  const awards = inside.filter(({ kind }) => kind === undefined);
  const reversed = Map.groupBy(
    entries.filter(({ kind }) => kind === "reversal"),
    ({ platformId, reversesSeq }) => `${platformId}/${reversesSeq}`,
  );
  const xpOf = (source: ReturnType<typeof sourceOf>): bigint =>
    awards
      .filter((award) => sourceOf(award) === source)
      .flatMap((award) => [award, ...(reversed.get(`${award.platformId}/${award.seq}`) ?? [])])
      .reduce((sum, { applied }) => sum + applied, 0n);
  return {
    startMs: fromMs,
    awards: awards.filter((award) => sourceOf(award) === "xp").length,
    xp: xpOf("xp"),
    byHand: xpOf("byHand"),
    imported: xpOf("imported"),
    joined: inside.filter(({ seq }) => seq === 1).length,
    isCounted: true,
  };
}

function sourceOf({ actor, importName, key }: Entry): "xp" | "byHand" | "imported" {
  if (actor === undefined) return "xp";
  return importName === undefined && !key.startsWith("imp/xp/") ? "byHand" : "imported";
}

async function expectExact(read: ReadActivity, clanId: string, entries: readonly Entry[], at = now): Promise<void> {
  if (!kolkata) throw new Error("no such zone");
  for (const range of timeRanges) {
    const { spans, before } = spansOf(range, at, kolkata);
    const activity = await readAll(read, clanId, range);
    expect(activity.spans).toEqual(spans.map((span) => sumOf(entries, span)));
    expect(activity.before).toEqual(before.map((span) => sumOf(entries, span)));
  }
}

/**
 * Whether the range before ends within this quarter of an hour: what was taken back of its awards counts in it, also of
 * those after its end.
 */
function isCutQuarter(ageMs: number): boolean {
  const quarter = (ms: number): number => Math.floor(ms / (15 * MINUTE_MS));
  const readAt = [now.getTime(), now.getTime() + LATER_MS];
  return readAt
    .flatMap((ms) => [DAY_MS, 7 * DAY_MS, 30 * DAY_MS].map((length) => quarter(ms - length)))
    .includes(quarter(now.getTime() - ageMs));
}

/** Entries of three months, many of them at the edges of minutes, hours and ranges. */
function randomEntries(clanId: string, count: number): Entry[] {
  const chance = chanceOf(seedOfRun());
  const seqs = new Map<string, number>();
  /** Of awards that were not reversed. */
  const open = new Map<string, { seq: number; ageMs: number }>();
  const ages = Array.from({ length: count }, () => {
    const edge = chance.pick([
      0,
      HOUR_MS,
      2 * HOUR_MS,
      3 * HOUR_MS,
      DAY_MS,
      2 * DAY_MS,
      7 * DAY_MS,
      14 * DAY_MS,
      30 * DAY_MS,
    ]);
    return chance.int(0, 1) === 0 ? edge + chance.int(-1, 3 * 60) * 20_000 : chance.int(0, 90 * DAY_MS);
  });
  return ages
    .toSorted((a, b) => b - a)
    .map((ageMs, index) => {
      const platformId = `p${chance.int(1, 40)}`;
      const seq = (seqs.get(platformId) ?? 0) + 1;
      seqs.set(platformId, seq);
      const at = new Date(now.getTime() - Math.max(ageMs, 0));
      const facts = { clanId, platformId, seq, key: `=${index}`, applied: BigInt(chance.int(-50, 200)), at };
      const award = open.get(platformId);
      if (award !== undefined && !isCutQuarter(award.ageMs) && chance.hits(0.4)) {
        open.delete(platformId);
        return makeEntry({ ...facts, kind: "reversal", reversesSeq: award.seq, actor: "mod" });
      }
      if (chance.hits(0.2)) return makeEntry({ ...facts, kind: chance.pick(["membership", "reset"] as const) });
      open.set(platformId, { seq, ageMs });
      return makeEntry({
        ...facts,
        ...chance.pick<Partial<Entry>>([
          {},
          {},
          { actor: "mod" },
          { actor: "mod", importName: "old" },
          { actor: "mod", key: `imp/xp/old${index}` },
        ]),
      });
    });
}

test("every range equals the ledger, counted for the first time, read as counted, and by another process", async () => {
  const entries = randomEntries("exact", 4_000);
  await insert(entries);
  const first = newReader();
  await expectExact(first, "exact", entries);
  await expectExact(first, "exact", entries);
  const counted = await world.database.db().collection("activity").countDocuments({ "_id.clanId": "exact" });
  expect(counted).toBeGreaterThan(1_000);
  await expectExact(newReader({ count: () => Promise.reject(new Error("counted again")) }), "exact", entries);
});

test("an entry that is stored an hour after its time is included, and so is one of a minute ago", async () => {
  const entries = randomEntries("late", 200);
  await insert(entries);
  const read = newReader();
  await expectExact(read, "late", entries);
  const late = [1, 65, 119].map((minutes, index) =>
    makeEntry({
      clanId: "late",
      platformId: `late-${index}`,
      key: "=late",
      at: new Date(now.getTime() - minutes * MINUTE_MS),
    }),
  );
  await insert(late);
  await expectExact(newReader(), "late", [...entries, ...late]);
  // Hours later, when all of these hours are counted.
  const later = new Date(now.getTime() + LATER_MS);
  const reader = newReader();
  reader.at.ms = later.getTime();
  await expectExact(reader, "late", [...entries, ...late], later);
});

test("hours that were counted while a member was being erased are void, however late they are stored", async () => {
  const entries = randomEntries("erased", 500);
  await insert(entries);
  const hours = makeCountedHours(world.database);
  const [forgetHours, generation] = [makeForgetHours(world.database), await hours.generation("erased")];
  const period = { from: new Date("2026-11-01T00:00:00.000Z"), to: new Date("2026-11-20T00:00:00.000Z") };
  const stale = await hours.count("erased", period);
  const remaining = entries.filter(({ platformId }) => platformId !== "p7");
  await ledger().deleteMany({ "_id.clanId": "erased", "_id.platformId": "p7" });
  await forgetHours(["erased"]);
  await hours.store("erased", generation, stale);
  await expectExact(newReader(), "erased", remaining);
});

test("a range that takes long to count is answered with what is counted, the newest first", async () => {
  const entries = randomEntries("slow", 300);
  await insert(entries);
  const hours = makeCountedHours(world.database);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let counts = 0;
  const read = newReader({
    async count(clanId, period) {
      counts += 1;
      if (counts > 1) await released;
      return hours.count(clanId, period);
    },
  });
  if (!kolkata) throw new Error("no such zone");
  const { spans, before } = await read("slow", "24h", kolkata);
  const all = [...before, ...spans].map((span) => span.isCounted);
  expect([all[0], all.at(-1)]).toEqual([false, true]);
  // What is counted has no gap.
  expect(all).toEqual(all.toSorted((a, b) => Number(a) - Number(b)));
  release();
  await expectExact(read, "slow", entries);
});

test("hours before the clan's first entry are not counted, so an older one that is imported later is included", async () => {
  const [recent] = randomEntries("old", 1).map((entry) => ({ ...entry, at: new Date(now.getTime() - DAY_MS) }));
  if (!recent) throw new Error("no entry");
  await insert([recent]);
  await expectExact(newReader(), "old", [recent]);
  const older = { ...recent, platformId: "older", at: new Date(now.getTime() - 20 * DAY_MS) };
  await insert([older]);
  await expectExact(newReader(), "old", [recent, older]);
});
