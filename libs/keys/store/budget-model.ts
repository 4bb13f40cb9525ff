// The collection of what API keys and moderators spent per day: its documents and its index.
import { index } from "#mongo/collection.ts";

/**
 * `_id`: key and day. `spent`: the sum of positive amounts that the key awarded on that day; of a moderator, also what
 * they took. `claims`: the newest ones, while they may be retried.
 */
export type BudgetDoc = {
  _id: string;
  spent: bigint;
  day: Date;
  claims?: { id: string; at: Date; claimId: string }[];
};

export const BUDGETS = {
  name: "budgets",
  indexes: [
    // MongoDB deletes documents that no process can request any more, even if its clock is wrong.
    index({ day: 1 }, { expireAfterSeconds: 7 * 86_400 }),
  ],
};
