// Counts the entries of members in the open periods of their clan's boards. Any number of processes may count the same
// members, and each may end anywhere: a standing says up to which entry it counts, and is never replaced by one with
// fewer.
//
// Invariant: nothing is written that was read longer ago than READS_AGE_MAX_MS. An erasure relies on it, and so does a
// board that is made meanwhile.
import { periodsOfEntry, standingsAfter, type CountedEntry, type Standing } from "#domain/standing.ts";
import type { Clock } from "#kernel/clock.ts";
import { ENTRIES_PER_COUNT, MEMBERS_PER_COUNT } from "#boards/bounds.ts";
import { byBoard, guardAge } from "#boards/count-anew.ts";
import type { ReadOpenPeriods } from "#boards/open-periods.ts";
import type { DueMember, StandingStore, StoredPeriod, UncountedEntries } from "#boards/ports.ts";

/** Counts some of the members who are due, and returns whether there may be more. Throws AppError `unavailable`. */
export type CountMembers = (clanId: string) => Promise<boolean>;

export function makeCountMembers(deps: {
  readOpenPeriods: ReadOpenPeriods;
  entries: UncountedEntries;
  standings: Pick<StandingStore, "read" | "write">;
  clock: Pick<Clock, "agingMs">;
  /** That are counted together. */
  entriesMax?: number;
}): CountMembers {
  const { readOpenPeriods, entries, standings, clock, entriesMax = ENTRIES_PER_COUNT } = deps;

  return async function countMembers(clanId) {
    const requireRecent = guardAge(clock);
    const listed = await entries.listDue(clanId, MEMBERS_PER_COUNT);
    if (listed.length === 0) return false;
    const due = withinBound(listed, entriesMax);
    const found = await entries.readEntries(clanId, due);
    // A process whose clock is ahead dates entries in periods that have not begun.
    const newest = Math.max(0, ...[...found.values()].flat().map(({ at }) => at.getTime()));
    const boards = byBoard((await readOpenPeriods(clanId, new Date(newest)))?.periods ?? []);
    const known = await standings.read([...found].flatMap(([platformId, own]) => touched(platformId, boards, own)));
    const writes = [...found].flatMap(([platformId, own]) => {
      const after = standingsAfter(known.get(platformId) ?? new Map<string, Standing>(), boards, own);
      return [...after].map(([rows, standing]) => ({ rows, member: { clanId, platformId }, standing }));
    });
    requireRecent();
    await standings.write(writes, { isWhole: false });
    // The same marks may be those of a member who was erased, and awarded again.
    requireRecent();
    await entries.settle(clanId, due);
    return listed.length === MEMBERS_PER_COUNT || due.some(({ seq }, index) => seq !== listed[index]?.seq);
  };
}

/** The member's standings that these entries may change. */
function touched(platformId: string, boards: readonly StoredPeriod[][], own: readonly CountedEntry[]) {
  const rows = new Set(own.flatMap((entry) => periodsOfEntry(boards, entry)).map((period) => period.rows));
  return [...rows].map((name) => ({ rows: name, platformId }));
}

/** Members with many entries are counted in parts. */
function withinBound(due: readonly DueMember[], entriesMax: number): DueMember[] {
  let left = entriesMax;
  return due.map((member) => {
    const seq = Math.min(member.seq, member.counted + left);
    left -= Math.max(0, seq - member.counted);
    return { ...member, seq };
  });
}
