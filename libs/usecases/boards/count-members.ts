// Counts the entries of members in the open periods of their clan's boards. Any number of processes may count the same
// members, and each may end anywhere: a standing names the entries that it contains, and is written only over the one
// that it was derived from.
//
// Invariant: nothing is written that was read longer ago than READS_AGE_MAX_MS. An erasure relies on it, and so does a
// board that is made meanwhile.
import { chunks } from "#async/chunks.ts";
import { AppError } from "#domain/app-error.ts";
import type { MemberRef } from "#domain/member-id.ts";
import { periodsOfEntry, standingsAfter, type CountedEntry, type Standing } from "#domain/standing.ts";
import type { Clock } from "#runtime/ports.ts";
import {
  CHAINS_AT_ONCE,
  CLOCK_ERROR_MS_MAX,
  ENTRIES_PER_COUNT,
  MEMBERS_PER_COUNT,
  READS_AGE_MAX_MS,
} from "#usecases/boards/bounds.ts";
import type { ReadOpenPeriods } from "#usecases/boards/open-periods.ts";
import type {
  DueMember,
  StandingStore,
  StandingWrite,
  StoredPeriod,
  UncountedEntries,
} from "#usecases/boards/ports.ts";

export type CountMembers = {
  /** Counts some members who are due. False: there are no more. */
  countDue(clanId: string): Promise<boolean>;
  /** Counts these members in these periods from the ledger alone. */
  countAnew(clanId: string, platformIds: readonly string[], periods: readonly StoredPeriod[]): Promise<void>;
};

export function makeCountMembers(deps: {
  readOpenPeriods: ReadOpenPeriods;
  entries: UncountedEntries;
  standings: Pick<StandingStore, "read" | "write" | "replace">;
  clock: Pick<Clock, "agingMs">;
}): CountMembers {
  const { readOpenPeriods, entries, standings, clock } = deps;

  function guardAge(): () => void {
    const beganAtMs = clock.agingMs();
    return () => {
      if (clock.agingMs() - beganAtMs > READS_AGE_MAX_MS)
        throw new AppError("unavailable", "Members were read too slowly to count them. Try again shortly.");
    };
  }

  async function countDue(clanId: string): Promise<boolean> {
    const requireRecent = guardAge();
    const listed = await entries.listDue(clanId, MEMBERS_PER_COUNT);
    if (listed.length === 0) return false;
    const due = withinBound(listed);
    const found = await entries.readEntries(clanId, due);
    // A process whose clock is ahead dates entries in periods that have not begun.
    const newest = Math.max(0, ...[...found.values()].flat().map(({ at }) => at.getTime()));
    const open = await readOpenPeriods(clanId, new Date(newest));
    const [counted, uncounted] = partition(open?.periods ?? []);
    const boards = byBoard(counted);
    const known = await readStandings(clanId, boards, found);
    const writes = due.flatMap(({ platformId }) =>
      writesOf({ clanId, platformId }, boards, found.get(platformId) ?? [], known),
    );
    requireRecent();
    const raced = await standings.write(writes);
    const done = due.filter(({ platformId }) => !raced.has(platformId));
    if (uncounted.length > 0)
      await countAnew(
        clanId,
        done.map(({ platformId }) => platformId),
        uncounted,
      );
    requireRecent();
    await entries.settle(clanId, done);
    return true;
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

  async function countAnew(
    clanId: string,
    platformIds: readonly string[],
    periods: readonly StoredPeriod[],
  ): Promise<void> {
    const boards = byBoard(periods);
    const since = new Date(Math.min(...periods.map(({ startsAt }) => startsAt.getTime())) - CLOCK_ERROR_MS_MAX);
    for (const some of chunks(platformIds, CHAINS_AT_ONCE)) {
      const requireRecent = guardAge();
      const writes = await Promise.all(
        some.map(async (platformId) => {
          const member = { clanId, platformId };
          const chain = await entries.readChain(member, since);
          const seq = chain.at(-1)?.seq ?? 0;
          const found = standingsAfter(new Map(), boards, chain);
          return [...found].map(([rows, standing]) => ({ rows, member, standing: { ...standing, seq } }));
        }),
      );
      requireRecent();
      await standings.replace(writes.flat());
    }
  }

  return { countDue, countAnew };
}

/** Members with many entries are counted in parts. */
function withinBound(due: readonly DueMember[]): DueMember[] {
  let left = ENTRIES_PER_COUNT;
  return due.flatMap((member) => {
    const seq = Math.min(member.seq, member.counted + left);
    left -= seq - member.counted;
    return seq > member.counted ? [{ ...member, seq }] : [];
  });
}

function partition(periods: readonly StoredPeriod[]): [StoredPeriod[], StoredPeriod[]] {
  return [periods.filter(({ countedAt }) => countedAt !== null), periods.filter(({ countedAt }) => countedAt === null)];
}

function byBoard(periods: readonly StoredPeriod[]): StoredPeriod[][] {
  return [...Map.groupBy(periods, ({ boardUid }) => boardUid).values()];
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
