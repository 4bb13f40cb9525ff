// Counts the entries of members in the open periods of their clan's boards. Any number of processes may count the same
// members, and each may end anywhere: a standing names the entries that it contains, and is written only over the one
// that it was derived from.
//
// Invariant: nothing is written that was read longer ago than READS_AGE_MAX_MS. An erasure relies on it, and so does a
// board that is made meanwhile.
import type { MemberRef } from "#domain/member-id.ts";
import { periodsOfEntry, standingsAfter, type CountedEntry, type Standing } from "#domain/standing.ts";
import type { Clock } from "#kernel/clock.ts";
import { ENTRIES_PER_COUNT, MEMBERS_PER_COUNT } from "#boards/bounds.ts";
import { byBoard, guardAge } from "#boards/count-anew.ts";
import type { ReadOpenPeriods } from "#boards/open-periods.ts";
import type { DueMember, StandingStore, StandingWrite, StoredPeriod, UncountedEntries } from "#boards/ports.ts";

export type CountMembers = {
  /** Counts some members who are due, and returns them as they were. None: there are no more. */
  countDue(clanId: string): Promise<readonly DueMember[]>;
};

export function makeCountMembers(deps: {
  readOpenPeriods: ReadOpenPeriods;
  entries: UncountedEntries;
  standings: Pick<StandingStore, "read" | "write">;
  clock: Pick<Clock, "agingMs">;
  /** That are counted together. */
  entriesMax?: number;
}): CountMembers {
  const { readOpenPeriods, entries, standings, clock, entriesMax = ENTRIES_PER_COUNT } = deps;

  async function countDue(clanId: string): Promise<readonly DueMember[]> {
    const requireRecent = guardAge(clock);
    const listed = await entries.listDue(clanId, MEMBERS_PER_COUNT);
    if (listed.length === 0) return listed;
    const due = withinBound(listed, entriesMax);
    const found = await entries.readEntries(clanId, due);
    // A process whose clock is ahead dates entries in periods that have not begun.
    const newest = Math.max(0, ...[...found.values()].flat().map(({ at }) => at.getTime()));
    const open = await readOpenPeriods(clanId, new Date(newest));
    const boards = byBoard(open?.periods ?? []);
    const known = await readStandings(clanId, boards, found);
    const writes = due.flatMap(({ platformId }) =>
      writesOf({ clanId, platformId }, boards, found.get(platformId) ?? [], known),
    );
    requireRecent();
    const raced = await standings.write(writes);
    // The same marks may be those of a member who was erased, and awarded again.
    requireRecent();
    await entries.settle(
      clanId,
      due.filter(({ platformId }) => !raced.has(platformId)),
    );
    return listed;
  }

  async function readStandings(
    clanId: string,
    boards: readonly StoredPeriod[][],
    found: ReadonlyMap<string, readonly CountedEntry[]>,
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, Standing>>> {
    const members = new Map<string, Set<string>>();
    for (const [platformId, own] of found)
      for (const { rows } of own.flatMap((entry) => periodsOfEntry(boards, entry)))
        members.set(rows, (members.get(rows) ?? new Set()).add(platformId));
    const read = await Promise.all(
      [...members].map(([rows, ids]) =>
        standings.read(
          [rows],
          [...ids].map((platformId) => ({ clanId, platformId })),
        ),
      ),
    );
    return new Map(read.flatMap((one) => [...one]));
  }

  return { countDue };
}

/** Members with many entries are counted in parts. Those without any are listed, so that their marks are settled. */
function withinBound(due: readonly DueMember[], entriesMax: number): DueMember[] {
  let left = entriesMax;
  return due.flatMap((member) => {
    if (!(member.seq > member.counted)) return [member];
    const seq = Math.min(member.seq, member.counted + left);
    left -= seq - member.counted;
    return seq > member.counted ? [{ ...member, seq }] : [];
  });
}

function writesOf(
  member: MemberRef,
  boards: readonly StoredPeriod[][],
  own: readonly CountedEntry[],
  known: ReadonlyMap<string, ReadonlyMap<string, Standing>>,
): StandingWrite[] {
  const before = new Map<string, Standing>();
  for (const [rows, byMember] of known) {
    const standing = byMember.get(member.platformId);
    if (standing) before.set(rows, standing);
  }
  const after = standingsAfter(before, boards, own);
  return [...after].map(([rows, standing]) => ({ rows, member, before: before.get(rows)?.seq ?? null, standing }));
}
