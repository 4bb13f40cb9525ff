// Verifies the standings in periods that are not final against the ledger, while awards continue. A standing is
// compared with the entries up to the one that it contains, and up to which the member is counted.
import { chunks } from "#async/chunks.ts";
import { standingsAfter, type Standing } from "#domain/standing.ts";
import type { LedgerChanges } from "#ledger/ports.ts";
import type { ReadOpenPeriods } from "#usecases/boards/open-periods.ts";
import type { StandingStore, StoredPeriod, UncountedEntries } from "#usecases/boards/ports.ts";
import type { Difference } from "#usecases/operations/difference.ts";

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
    const seen = new Set<string>();
    const unseen = (ids: readonly string[]): string[] => {
      const fresh = [...new Set(ids)].filter((id) => !seen.has(id));
      for (const id of fresh) seen.add(id);
      return fresh;
    };
    for await (const members of reader.listChanged([clanId], since))
      for (const some of chunks(unseen(members.map(({ platformId }) => platformId)), MEMBERS_TOGETHER))
        yield await compare(clanId, some, periods, since);
    // Standings without an entry.
    for (const { rows } of periods)
      for await (const listed of standings.listMembers(rows))
        for (const some of chunks(unseen(listed), MEMBERS_TOGETHER)) yield await compare(clanId, some, periods, since);
  }

  async function compare(
    clanId: string,
    platformIds: readonly string[],
    periods: readonly StoredPeriod[],
    since: Date,
  ): Promise<Difference[]> {
    // In this order: a standing contains what was counted before it was read, and the ledger contains all of it.
    const counted = await entries.readCounted(clanId, platformIds);
    const members = platformIds.map((platformId) => ({ clanId, platformId }));
    const stored = await standings.read(
      periods.map(({ rows }) => rows),
      members,
    );
    const boards = [...Map.groupBy(periods, ({ boardUid }) => boardUid).values()];
    const found: Difference[] = [];
    for (const member of members) {
      const { platformId } = member;
      const upTo = counted.get(platformId);
      // Nothing is projected yet, or the member is being erased.
      if (upTo === undefined) continue;
      const chain = await entries.readChain(member, since);
      for (const period of periods) {
        const standing = stored.get(period.rows)?.get(platformId);
        const last = Math.max(upTo, standing?.seq ?? 0);
        const expected = standingsAfter(
          new Map(),
          boards,
          chain.filter(({ seq }) => seq <= last),
        ).get(period.rows);
        if (textOf(expected) === textOf(standing)) continue;
        const detail = `${period.boardId} ${period.periodId}: stored ${textOf(standing)}, by the ledger ${textOf(expected)}`;
        found.push({ kind: "standing_wrong", clanId, platformId, detail });
      }
    }
    return found;
  }

  return reconcile;
}

function textOf(standing: Standing | undefined): string {
  if (!standing) return "nothing";
  return `${standing.xp} XP since ${standing.reachedAt.toISOString()}${standing.removed ? ", removed" : ""}`;
}
