// How records whose events have no numbers yet are found, and how that ends.
import type { ChangeRef } from "#domain/change-ref.ts";

/** Entries, batches and reversals. */
export const FLAGGED = { ev: { $exists: true } } as const;
export const FLAGGED_READ_MAX = 200;
/** The subjects of changes that are no entries, each before an id. */
export const PREFIX = { batches: "batch/", reversals: "reversal/", outbox: "outbox/" } as const;

/** The ids of the changes whose subjects have this prefix. */
export function idsIn(changes: readonly { ref: ChangeRef }[], prefix: string): string[] {
  return changes.flatMap(({ ref: { subject } }) => (subject.startsWith(prefix) ? [subject.slice(prefix.length)] : []));
}

/** Without waiting for a majority or the journal: what is lost is settled again. */
export const SETTLING = { writeConcern: { w: 1, j: false } } as const;
