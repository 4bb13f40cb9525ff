// Finds for listed awards the entries that reversed them.
import { reversalKey } from "#domain/award-key.ts";
import type { Entry } from "#domain/entry.ts";
import type { LedgerReader } from "#members/ports.ts";
import type { AwardIdOf } from "#reversals/ports.ts";

/** `reversedBySeq`: the number of the entry that reversed this one, if there is one. */
export type ListedEntry = { entry: Entry; reversedBySeq: number | undefined };

/** Throws AppError `unavailable`. */
export type WithReversals = (clanId: string, entries: readonly Entry[]) => Promise<ListedEntry[]>;

export function makeWithReversals({
  reader,
  awardIdOf,
}: {
  reader: Pick<LedgerReader, "findByKeys">;
  awardIdOf: AwardIdOf;
}): WithReversals {
  return async function withReversals(clanId, entries) {
    const keys = entries.map((entry) => (isReversible(entry) ? reversalKey(awardIdOf(entry)) : null));
    const present = keys.filter((key) => key !== null);
    const platformIds = [...new Set(entries.map(({ platformId }) => platformId))];
    const found = present.length === 0 ? null : await reader.findByKeys(clanId, { platformIds, keys: present });
    return entries.map((entry, index) => ({ entry, reversedBySeq: found?.get(keys[index] ?? "") }));
  };
}

/** Awards, and what a reset took. */
function isReversible({ kind }: Entry): boolean {
  return kind === undefined || kind === "reset";
}
