// Verifies the standings in periods that are not final against the ledger, while awards continue. A standing is
// compared with the entries up to the one that it contains, and up to which the member is counted.
import { chunks } from "#async/chunks.ts";
import type { MemberRef } from "#domain/member-id.ts";
import { standingsAfter, type CountedEntry, type Standing } from "#domain/standing.ts";
import type { LedgerChanges } from "#ledger/ports.ts";
import { ENTRIES_PER_COUNT } from "#boards/bounds.ts";
import { firstSeqs, nextPart } from "#boards/chain-parts.ts";
import { byBoard } from "#boards/count-anew.ts";
import type { ReadOpenPeriods } from "#boards/open-periods.ts";
import type { StandingStore, StoredPeriod, UncountedEntries } from "#boards/ports.ts";
import type { Difference } from "#operations/difference.ts";

/** Members whose standings are compared together. */
const MEMBERS_TOGETHER = 50;

/** The differences in one clan, a few members at a time. Throws AppError `unavailable`. */
export type ReconcileBoards = (clanId: string) => AsyncGenerator<Difference[]>;

export function makeReconcileBoards(deps: {
  readOpenPeriods: ReadOpenPeriods;
  reader: LedgerChanges;
  entries: Pick<UncountedEntries, "readCounted" | "readChain">;
  standings: Pick<StandingStore, "read" | "listMembers">;
}): ReconcileBoards {
  const { readOpenPeriods, reader, entries, standings } = deps;

  async function* reconcile(clanId: string): AsyncGenerator<Difference[]> {
    const open = await readOpenPeriods(clanId);
    const periods = (open?.periods ?? []).filter(({ countedAt }) => countedAt !== null);
    if (periods.length === 0) return;
    const since = new Date(Math.min(...periods.map(({ startsAt }) => startsAt.getTime())));
    const first = await firstSeqs(reader, clanId, since);
    for (const some of chunks([...first], MEMBERS_TOGETHER)) yield await compare(clanId, new Map(some), periods);
    // Standings without an entry, or of members whose first entries are new.
    for (const { rows } of periods)
      for await (const listed of standings.listMembers(rows)) {
        const others = listed.filter((platformId) => !first.has(platformId));
        for (const platformId of others) first.set(platformId, 1);
        for (const some of chunks(others, MEMBERS_TOGETHER))
          yield await compare(clanId, new Map(some.map((platformId) => [platformId, 1])), periods);
      }
  }

  async function compare(
    clanId: string,
    first: ReadonlyMap<string, number>,
    periods: readonly StoredPeriod[],
  ): Promise<Difference[]> {
    const platformIds = [...first.keys()];
    // In this order: a standing contains what was counted before it was read, and the ledger contains all of it.
    const counted = await entries.readCounted(clanId, platformIds);
    const members = platformIds.map((platformId) => ({ clanId, platformId }));
    const stored = await standings.read(
      periods.flatMap(({ rows }) => platformIds.map((platformId) => ({ rows, platformId }))),
    );
    const found: Difference[] = [];
    for (const member of members) {
      const { platformId } = member;
      const upTo = counted.get(platformId);
      // Nothing is projected yet, or the member is being erased.
      if (upTo === undefined) continue;
      const standingOf = ({ rows }: StoredPeriod) => stored.get(platformId)?.get(rows);
      const lastOf = (period: StoredPeriod): number => Math.max(upTo, standingOf(period)?.seq ?? 0);
      const byLast = Map.groupBy(periods, lastOf);
      const all = await expectedOf(entries, member, first.get(platformId) ?? 1, byLast);
      // The member was erased meanwhile.
      if (all === null) continue;
      for (const period of periods) {
        const [standing, expected] = [standingOf(period), all.get(period.rows)];
        if (textOf(expected) === textOf(standing)) continue;
        const detail = `${period.boardId} ${period.periodId}: stored ${textOf(standing)}, by the ledger ${textOf(expected)}`;
        found.push({ kind: "standing_wrong", clanId, platformId, detail });
      }
    }
    return found;
  }

  return reconcile;
}

/** By `rows`: in each group of periods, what the entries up to its number make. Null: they are gone. */
async function expectedOf(
  entries: Pick<UncountedEntries, "readChain">,
  member: MemberRef,
  from: number,
  byLast: ReadonlyMap<number, readonly StoredPeriod[]>,
): Promise<ReadonlyMap<string, Standing> | null> {
  const limit = ENTRIES_PER_COUNT;
  let expected = new Map<string, Standing>();
  for (let last: CountedEntry | null = null; ;) {
    const part: readonly CountedEntry[] | null = await nextPart(entries, member, { last, from, limit });
    if (part === null) return null;
    for (const [seqMax, periods] of byLast) {
      const counted = part.filter(({ seq }) => seq <= seqMax);
      expected = new Map([...expected, ...standingsAfter(expected, byBoard(periods), counted)]);
    }
    last = part.at(-1) ?? last;
    if (part.length < limit) return expected;
  }
}

function textOf(standing: Standing | undefined): string {
  if (!standing) return "nothing";
  const { xp, awards, reachedAt, removed } = standing;
  return `${xp} XP of ${awards} awards since ${reachedAt.toISOString()}${removed ? ", removed" : ""}`;
}
