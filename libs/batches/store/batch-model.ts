// The collection of batches: its documents, their conversion, and its indexes, each with the query that needs it.
import { index } from "#mongo/collection.ts";
import type { Batch, BatchAward, BatchOutcome, BatchState } from "#domain/batch.ts";

export type BatchDoc = {
  _id: string;
  clanId: string;
  apiKeyId: string;
  idempotencyKey?: string;
  fingerprint: string;
  /** Absent once the details were deleted by age, like `outcomes`. */
  awards?: ({ platformId: string; amount: bigint } | { platformId: string | null; code: string; detail: string })[];
  /** The number of awards; absent in records of older versions. */
  awardCount?: number;
  state: BatchState;
  /** Replaces awards and outcomes that were deleted by age. */
  appliedOnce?: number;
  /** The batch was cancelled before it was done. */
  cancelled?: true;
  /** Some of its awards belonged to a member who was erased before it was done. */
  erased?: true;
  /** It is done, and its event has no number yet. */
  ev?: true;
  outcomes?: (
    | { platformId: string; xp: bigint; rank: string }
    | { platformId: string | null; code: string; detail: string }
  )[];
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};

export const BATCHES = {
  name: "batches",
  indexes: [
    // One batch under one idempotency key of a clan.
    index(
      { clanId: 1, idempotencyKey: 1 },
      { unique: true, partialFilterExpression: { idempotencyKey: { $exists: true } } },
    ),
    // The recovery scan: batches that are not done. The index contains no others.
    index({ state: 1, _id: 1 }, { partialFilterExpression: { state: { $in: ["queued", "running"] } } }),
    // The metrics: how many batches wait, with how many awards, without reading the records.
    index({ state: 1, awardCount: 1 }, { partialFilterExpression: { state: { $in: ["queued", "running"] } } }),
    // The oldest unfinished batch, and the unfinished batches of each clan and API key, without reading the records.
    index(
      { state: 1, createdAt: 1, clanId: 1, apiKeyId: 1, _id: 1 },
      { partialFilterExpression: { state: { $in: ["queued", "running"] } } },
    ),
    // Done batches whose event has no number yet.
    index({ clanId: 1, _id: 1 }, { partialFilterExpression: { ev: { $exists: true } } }),
    // A clan's batches, newest first, for the dashboard.
    index({ clanId: 1, createdAt: -1, _id: -1 }),
    // Retention: done batches that still have their awards, the oldest first.
    index({ finishedAt: 1 }, { partialFilterExpression: { state: "done", awards: { $exists: true } } }),
  ],
};

export function docOfBatch(batch: Batch): BatchDoc {
  const { batchId, idempotencyKey, awards, outcomes, appliedOnce, cancelled, ...facts } = batch;
  return {
    _id: batchId,
    ...facts,
    ...(idempotencyKey === null ? {} : { idempotencyKey }),
    awards: [...awards],
    awardCount: awards.length,
    ...(cancelled ? { cancelled } : {}),
    outcomes: [...outcomes],
    ...(appliedOnce === null ? {} : { appliedOnce }),
  };
}

export function batchOfDoc(doc: BatchDoc): Batch {
  const { clanId, apiKeyId, fingerprint, state, createdAt, startedAt, finishedAt } = doc;
  return {
    batchId: doc._id,
    clanId,
    apiKeyId,
    idempotencyKey: doc.idempotencyKey ?? null,
    fingerprint,
    awards: (doc.awards ?? []) as BatchAward[],
    state,
    cancelled: doc.cancelled ?? false,
    outcomes: (doc.outcomes ?? []) as BatchOutcome[],
    appliedOnce: doc.appliedOnce ?? null,
    createdAt,
    startedAt,
    finishedAt,
  };
}
