// The collection of reversals: its documents, and its indexes, each with the query that needs it.
import { Schema, type Connection, type Model } from "mongoose";
import type { Reversal, ReversalBy, Selection } from "#domain/reversal.ts";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";

type StoredReversal = Omit<Reversal, "reversalId" | "actor" | "idempotencyKey" | "by" | "selection" | "attempt">;
export type ReversalDoc = StoredReversal & {
  _id: string;
  /** Absent if an API key requested it, and in records of older versions. */
  actor?: string;
  /** Absent if there is none. */
  idempotencyKey?: string;
  /** Absent once the details were deleted by age or by an erasure, like `selection`. */
  by?: ReversalBy;
  selection?: Selection;
  /** Absent in records of older versions. */
  attempt?: number;
  /** A member was removed from its reason, and its run may not have read that yet. */
  erased?: true;
  /** It is done, and its event has no number yet. */
  ev?: true;
};

const reversalSchema = new Schema<ReversalDoc>(
  {
    _id: { type: String, required: true },
    clanId: { type: String, required: true },
    apiKeyId: { type: String, required: true },
    actor: String,
    idempotencyKey: String,
    fingerprint: { type: String },
    by: Schema.Types.Mixed,
    reason: String,
    selection: Schema.Types.Mixed,
    state: { type: String, required: true },
    position: { type: Number, required: true },
    attempt: Number,
    selected: { type: Number, required: true },
    reversed: { type: Number, required: true },
    skipped: { type: Number, required: true },
    erased: Boolean,
    ev: Boolean,
    createdAt: { type: Date, required: true },
    startedAt: Date,
    finishedAt: Date,
  },
  SCHEMA_OPTIONS,
);
// One reversal under one idempotency key of a clan.
reversalSchema.index(
  { clanId: 1, idempotencyKey: 1 },
  { unique: true, partialFilterExpression: { idempotencyKey: { $exists: true } } },
);
// The recovery scan, and how many reversals of a clan are unfinished. The index contains no others.
reversalSchema.index(
  { state: 1, _id: 1, clanId: 1 },
  { partialFilterExpression: { state: { $in: ["queued", "running"] } } },
);
// Done reversals whose event has no number yet.
reversalSchema.index({ clanId: 1, _id: 1 }, { partialFilterExpression: { ev: { $exists: true } } });
// Retention: done reversals whose details are not deleted yet, the oldest first.
reversalSchema.index({ finishedAt: 1 }, { partialFilterExpression: { state: "done", selection: { $exists: true } } });
// An erasure uses it to find the reversals that select a member, and those whose reasons name one.
reversalSchema.index(
  { "selection.platformId": 1 },
  { partialFilterExpression: { "selection.platformId": { $exists: true } } },
);
reversalSchema.index({ reason: 1 }, { partialFilterExpression: { reason: { $gt: "" } } });

/** The model of one connection; creating it reads and writes nothing. */
export function makeReversalModel(connection: Connection): Model<ReversalDoc> {
  return connection.model<ReversalDoc>("reversal", reversalSchema, "reversals");
}
