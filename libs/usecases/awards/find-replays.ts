// Finds which awards were applied before. An award must not be rejected because a setting, a scope or a rate has
// changed since it was applied: whoever is about to reject one by those asks here first.
import { isForeignAwardKey } from "#domain/award-key.ts";
import { AppError } from "#domain/app-error.ts";
import type { Award, Entry } from "#domain/award.ts";
import { memberIdOf } from "#domain/member-id.ts";
import type { AwardStore } from "#usecases/awards/ports.ts";

/**
 * The entries of those awards that were applied, under the same key with the same payload. Throws AppError
 * `unavailable`, and `outcome_unknown` where an entry is written that no majority holds yet: what rejects its award may
 * turn out to be wrong.
 */
export type FindReplays = (awards: readonly Award[]) => Promise<ReadonlyMap<Award, Entry>>;

const UNDECIDED =
  "An earlier request under this Idempotency-Key is still being committed. Retry with the same Idempotency-Key.";

export function makeFindReplays(store: Pick<AwardStore, "readEntries">): FindReplays {
  return async function findReplays(awards) {
    // An award without a caller's key has a new one in each request: no entry can bear it.
    const keyed = awards.filter((award) => isForeignAwardKey(award.key));
    const replays = new Map<Award, Entry>();
    if (keyed.length === 0) return replays;
    const [entries, local] = await Promise.all([store.readEntries(keyed), store.readEntries(keyed, { local: true })]);
    for (const award of keyed) {
      const entry = entries.get(memberIdOf(award))?.get(award.key);
      if (entry?.fingerprint === award.fingerprint) replays.set(award, entry);
      if (!entry && local.get(memberIdOf(award))?.has(award.key)) throw new AppError("outcome_unknown", UNDECIDED);
    }
    return replays;
  };
}
