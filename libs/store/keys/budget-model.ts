// The collection of what API keys and moderators spent per day: its documents and its index.
import { Schema, type Connection, type Model } from "mongoose";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";

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

const budgetSchema = new Schema<BudgetDoc>(
  {
    _id: { type: String, required: true },
    spent: { type: BigInt, required: true },
    day: { type: Date, required: true },
    claims: { type: [{ _id: false, id: String, at: Date, claimId: String }], default: undefined },
  },
  SCHEMA_OPTIONS,
);
// MongoDB deletes documents that no process can request any more, even if its clock is wrong.
budgetSchema.index({ day: 1 }, { expireAfterSeconds: 7 * 86_400 });

export function makeBudgetModel(connection: Connection): Model<BudgetDoc> {
  return connection.model<BudgetDoc>("budget", budgetSchema, "budgets");
}
