// Ends a boost before its time, or before it has begun. An earlier end keeps its time.
import type { Actor } from "#domain/audit.ts";
import type { StoredBoost } from "#domain/boost.ts";
import type { BoostStore } from "#boosts/ports.ts";

/** The boost after its end; null if there is none. `clanId`: only of this clan. Acts within 1 s on every process. */
export type EndBoost = (boost: { boostId: string; clanId?: string }, by: Actor) => Promise<StoredBoost | null>;

export function makeEndBoost({ boosts }: { boosts: Pick<BoostStore, "end" | "now"> }): EndBoost {
  return async (boost, by) => boosts.end(boost, await boosts.now(), by);
}
