// Counts members in periods from the ledger alone: what is stored of them does not matter.
//
// Invariant: memory holds ENTRIES_PER_COUNT entries, however long chains are, and no part of a chain is read again, so
// that a count makes progress however slowly it is read.
import { chunks } from "#async/chunks.ts";
import { AppError } from "#kernel/app-error.ts";
import type { MemberRef } from "#domain/member-id.ts";
import { standingsAfter, type CountedEntry, type Standing } from "#domain/standing.ts";
import type { Rest } from "#ledger/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import { CHAINS_AT_ONCE, ENTRIES_PER_COUNT, READS_AGE_MAX_MS } from "#boards/bounds.ts";
import { nextPart } from "#boards/chain-parts.ts";
import type { StandingStore, StoredPeriod, UncountedEntries } from "#boards/ports.ts";

/**
 * `members`: those to count, each with its first entry that concerns the periods. `stillOpen`: of these periods, those
 * that are to be counted still, asked every few members. `rest` is awaited after each read of a long chain, and after
 * every few members, with the time that it took. Throws AppError `unavailable`.
 */
export type CountAnew = (
  clanId: string,
  members: ReadonlyMap<string, number>,
  options: { stillOpen: () => Promise<readonly StoredPeriod[]>; rest: Rest },
) => Promise<void>;

export function makeCountAnew(deps: {
  entries: Pick<UncountedEntries, "readChain">;
  standings: Pick<StandingStore, "write">;
  clock: Pick<Clock, "agingMs">;
  /** That memory holds at the same time. */
  entriesMax?: number;
}): CountAnew {
  const { entries, standings, clock, entriesMax = ENTRIES_PER_COUNT } = deps;
  const limit = Math.ceil(entriesMax / CHAINS_AT_ONCE);

  async function countMember(
    member: MemberRef,
    { from, boards, rest }: { from: number; boards: readonly StoredPeriod[][]; rest: Rest },
  ): Promise<void> {
    const since = new Date(Math.min(...boards.flat().map(({ startsAt }) => startsAt.getTime())));
    let [last, counted] = [null as CountedEntry | null, new Map<string, Standing>()];
    // With the entry before it.
    let first = Math.max(1, from - 1);
    for (let isWritten = false; ;) {
      const [requireRecent, beganAtMs] = [guardAge(clock), clock.agingMs()];
      const part = await nextPart(entries, member, { last, from: first, limit });
      if (part === null) {
        [last, counted, isWritten] = [null, new Map<string, Standing>(), false];
        continue;
      }
      if (isWritten && part.length === 0) return;
      // The entry before the first one that concerns the periods does: of a member who was erased since they were
      // listed, and awarded again.
      if (!last && first > 1 && part[0] && part[0].at >= since) {
        first = 1;
        continue;
      }
      counted = new Map([...counted, ...standingsAfter(counted, boards, part)]);
      last = part.at(-1) ?? last;
      if (part.length > 0) isWritten = false;
      // Too old to be written: what follows is read in less time.
      const tookMs = clock.agingMs() - beganAtMs;
      if (part.length === limit || (tookMs > READS_AGE_MAX_MS && part.length > 0)) {
        await rest(tookMs);
        continue;
      }
      requireRecent();
      const seq = last?.seq ?? 0;
      const writes = [...counted].map(([rows, standing]) => ({ rows, member, standing: { ...standing, seq } }));
      if (writes.length === 0) return;
      // Others who counted later entries until now did so without those before, or found no standing to change. These
      // are read next, and what others wrote is replaced.
      await standings.write(writes, { isWhole: true });
      isWritten = true;
    }
  }

  return async function countAnew(clanId, members, { stillOpen, rest }) {
    for (const some of chunks([...members], CHAINS_AT_ONCE)) {
      const beganAtMs = clock.agingMs();
      const boards = byBoard(await stillOpen());
      if (boards.length === 0) return;
      await Promise.all(some.map(([platformId, from]) => countMember({ clanId, platformId }, { from, boards, rest })));
      await rest(clock.agingMs() - beganAtMs);
    }
  };
}

/** To be called before the reads. What it returns is called before the write, and throws if they are too old. */
export function guardAge(clock: Pick<Clock, "agingMs">, ageMaxMs = READS_AGE_MAX_MS): () => void {
  const beganAtMs = clock.agingMs();
  return () => {
    if (clock.agingMs() - beganAtMs > ageMaxMs)
      throw new AppError("unavailable", "Standings were read too slowly to change them. Try again shortly.");
  };
}

/** Each board's periods, in order. */
export function byBoard(periods: readonly StoredPeriod[]): StoredPeriod[][] {
  return [...Map.groupBy(periods, ({ boardUid }) => boardUid).values()];
}
