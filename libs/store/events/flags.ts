// How records whose events have no numbers yet are found, and how that ends.

/** Entries, batches and reversals. */
export const FLAGGED = { ev: { $exists: true } } as const;
export const FLAGGED_READ_MAX = 200;
/** Without waiting for a majority or the journal: what is lost is settled again. */
export const SETTLING = { writeConcern: { w: 1, j: false } } as const;
