// Finds which awards were applied before. A changed setting, scope or rate must not reject an award that was applied
// before the change, so each rejection for one of these reasons looks here first.
import { isForeignAwardKey } from "#domain/award-key.ts";
import { AppError } from "#kernel/app-error.ts";
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import { memberIdOf } from "#domain/member-id.ts";
import type { LedgerStore } from "#ledger/ports.ts";

/**
 * The entries of those awards that were applied under the same key with the same payload. Throws AppError
 * `unavailable`. Throws `outcome_unknown` if an entry exists that no majority has stored yet: rejecting its award might
 * turn out to be wrong.
 */
export type FindReplays = (awards: readonly Award[]) => Promise<ReadonlyMap<Award, Entry>>;

const UNDECIDED =
  "An earlier request under this Idempotency-Key is still being committed. Retry with the same Idempotency-Key.";

export function makeFindReplays(store: Pick<LedgerStore, "readEntries">): FindReplays {
  return async function findReplays(awards) {
    // An award without a caller's key has a new key in each request, so no entry can have it.
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
