// Counts members in periods from the ledger alone: what is stored of them does not matter.
import { chunks } from "#async/chunks.ts";
import { AppError } from "#domain/app-error.ts";
import { standingsAfter } from "#domain/standing.ts";
import type { Clock } from "#runtime/ports.ts";
import { CHAINS_AT_ONCE, READS_AGE_MAX_MS } from "#usecases/boards/bounds.ts";
import type { StandingStore, StoredPeriod, UncountedEntries } from "#usecases/boards/ports.ts";

/** Throws AppError `unavailable`. */
export type CountAnew = (
  clanId: string,
  platformIds: readonly string[],
  periods: readonly StoredPeriod[],
) => Promise<void>;

export function makeCountAnew(deps: {
  entries: Pick<UncountedEntries, "readChain">;
  standings: Pick<StandingStore, "replace">;
  clock: Pick<Clock, "agingMs">;
}): CountAnew {
  const { entries, standings, clock } = deps;
  return async function countAnew(clanId, platformIds, periods) {
    const boards = byBoard(periods);
    const since = new Date(Math.min(...periods.map(({ startsAt }) => startsAt.getTime())));
    for (const some of chunks(platformIds, CHAINS_AT_ONCE)) {
      const requireRecent = guardAge(clock);
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
  };
}

/** To be called before the reads. What it returns is called before the write, and throws if they are too old. */
export function guardAge(clock: Pick<Clock, "agingMs">): () => void {
  const beganAtMs = clock.agingMs();
  return () => {
    if (clock.agingMs() - beganAtMs > READS_AGE_MAX_MS)
      throw new AppError("unavailable", "Standings were read too slowly to change them. Try again shortly.");
  };
}

/** Each board's periods, in order. */
export function byBoard(periods: readonly StoredPeriod[]): StoredPeriod[][] {
  return [...Map.groupBy(periods, ({ boardUid }) => boardUid).values()];
}
