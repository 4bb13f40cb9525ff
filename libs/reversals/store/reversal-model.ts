// The collection of reversals and resets: its documents, and its indexes, each with the query that needs it.
import type { Correction, ResetSelection, ResetState } from "#domain/reset.ts";
import type { ReversalBy, Run, Selection } from "#domain/reversal.ts";
import { index } from "#mongo/collection.ts";

type StoredRun = Omit<Run<ResetState>, "reversalId" | "actor" | "idempotencyKey" | "attempt" | "amount">;
/** Of a reversal, or of a reset, which has no `by`. */
export type ReversalDoc = StoredRun & {
  _id: string;
  /** Absent if an API key requested it, and in records of older versions. */
  actor?: string;
  /** Absent if there is none. */
  idempotencyKey?: string;
  /** Absent once the details were deleted by age or by an erasure, like `selection`. */
  by?: ReversalBy;
  selection?: Selection | ResetSelection;
  /** Absent in records of older versions. */
  attempt?: number;
  /** As text, because it can exceed 64 bits. Absent in records of older versions. */
  amount?: string;
  /** A member was removed from its reason, and its run may not have read that yet. */
  erased?: true;
  /** The reversal is done, and its event has no number yet. */
  ev?: true;
};

export const REVERSALS = {
  name: "reversals",
  indexes: [
    // One reversal under one idempotency key of a clan.
    index(
      { clanId: 1, idempotencyKey: 1 },
      { unique: true, partialFilterExpression: { idempotencyKey: { $exists: true } } },
    ),
    // The recovery scan, and how many reversals of a clan are unfinished. The index contains no others.
    index({ state: 1, _id: 1, clanId: 1 }, { partialFilterExpression: { state: { $in: ["queued", "running"] } } }),
    // Resets that wait for their time, by it.
    index({ "selection.at": 1, clanId: 1 }, { partialFilterExpression: { state: "scheduled" } }),
    // The resets of a clan, the newest first.
    index({ clanId: 1, createdAt: -1, _id: -1 }, { partialFilterExpression: { "selection.at": { $exists: true } } }),
    // Done reversals whose event has no number yet.
    index({ clanId: 1, _id: 1 }, { partialFilterExpression: { ev: { $exists: true } } }),
    // Retention: done reversals whose details are not deleted yet, the oldest first.
    index({ finishedAt: 1 }, { partialFilterExpression: { state: "done", selection: { $exists: true } } }),
    // An erasure uses it to find the reversals that select a member, and those whose reasons name one.
    index({ "selection.platformId": 1 }, { partialFilterExpression: { "selection.platformId": { $exists: true } } }),
    index({ reason: 1 }, { partialFilterExpression: { reason: { $gt: "" } } }),
  ],
};

/** Null once the details were deleted by age. */
export function correctionOfDoc(doc: ReversalDoc): Correction | null {
  const { _id, actor, idempotencyKey, by, selection, attempt = 0, amount = "0", erased: _e, ev: _v, ...facts } = doc;
  const run = {
    reversalId: _id,
    ...facts,
    actor: actor ?? null,
    attempt,
    idempotencyKey: idempotencyKey ?? null,
    amount: BigInt(amount),
  };
  if (selection?.kind === "xp") return { ...run, selection };
  const { state } = run;
  // No reversal is scheduled or cancelled.
  if (!by || !selection || state === "scheduled" || state === "cancelled") return null;
  return { ...run, state, by, selection };
}

export function docOfCorrection({ reversalId, actor, idempotencyKey, amount, ...facts }: Correction): ReversalDoc {
  return {
    _id: reversalId,
    ...facts,
    amount: amount.toString(),
    ...(actor === null ? {} : { actor }),
    ...(idempotencyKey === null ? {} : { idempotencyKey }),
  };
}
