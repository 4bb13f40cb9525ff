// How many batches are unfinished, and whether another one is accepted.
import { makeTtlCache } from "#async/ttl-cache.ts";
import { BACKLOG_AGE_MAX_MS, BATCHES_UNFINISHED_MAX, BATCHES_UNFINISHED_PER_CLAN_MAX } from "#batches/bounds.ts";
import type { BatchStore } from "#batches/ports.ts";
import type { Clock } from "#kernel/clock.ts";

/** Batches that are not done, as last counted, and those that this process has accepted since. */
export type Unfinished = { total: number; ofClan: Map<string, number> };

/** Reads the backlog, at most BACKLOG_AGE_MAX_MS old; undefined if it is not known. */
export function makeReadBacklog({
  batches,
  clock,
}: {
  batches: Pick<BatchStore, "countUnfinished">;
  clock: Clock;
}): () => Promise<Unfinished | undefined> {
  const cache = makeTtlCache<Unfinished>({
    load: async ([name = ""]) => new Map([[name, unfinishedOf(await batches.countUnfinished())]]),
    ageMaxMs: BACKLOG_AGE_MAX_MS,
    sizeMax: 1,
    clock,
  });
  return () => cache.get("all clans");
}

function unfinishedOf(counts: ReadonlyMap<string, number>): Unfinished {
  return { total: [...counts.values()].reduce((sum, count) => sum + count, 0), ofClan: new Map(counts) };
}

export function noteAccepted(unfinished: Unfinished, clanId: string): void {
  unfinished.total += 1;
  unfinished.ofClan.set(clanId, (unfinished.ofClan.get(clanId) ?? 0) + 1);
}

/** Why no further batch of the clan is accepted now; null if one is. */
export function fullness(unfinished: Unfinished | undefined, clanId: string): string | null {
  if (!unfinished) return null;
  const ofClan = unfinished.ofClan.get(clanId) ?? 0;
  if (ofClan >= BATCHES_UNFINISHED_PER_CLAN_MAX) {
    return `This clan has ${ofClan} unfinished batches, as many as one clan may have. This batch was not accepted. Retry when some of them are done.`;
  }
  if (unfinished.total < BATCHES_UNFINISHED_MAX) return null;
  return "The service has too many unfinished batches. This batch was not accepted. Retry shortly.";
}
