// The collection of what became of members' roles: its documents, and its indexes, each with the query that needs it.
import { index } from "#mongo/collection.ts";
import type { RoleOutcome } from "#domain/destination.ts";

/**
 * One member of one destination; `_id` is "destinationId/platformId". `at`: the time of the outcome. `dueAt`: when the
 * roles are to be compared; absent if they are not. `firstAt`: the first mark since it was not due. `tried`: failures
 * since the newest mark. All times are MongoDB's.
 */
export type RoleSyncDoc = {
  _id: string;
  destinationId: string;
  clanId: string;
  platformId: string;
  outcome: RoleOutcome;
  reason?: string;
  at: Date;
  markedAt: Date;
  firstAt?: Date;
  dueAt?: Date;
  tried: number;
};

const IF_DUE = { dueAt: { $exists: true } } as const;
/** Those of a destination that are due, the longest first. */
export const BY_DUE = { destinationId: 1, dueAt: 1 } as const;
/** Counts and pages of an outcome. */
export const BY_OUTCOME = { destinationId: 1, outcome: 1, platformId: 1 } as const;

export const SYNCS = {
  name: "syncs",
  indexes: [
    index(BY_DUE, { partialFilterExpression: IF_DUE }),
    // The one that is due the longest, of all destinations.
    index({ dueAt: 1 }, { partialFilterExpression: IF_DUE }),
    index(BY_OUTCOME),
    // An erasure.
    index({ platformId: 1 }),
  ],
};
