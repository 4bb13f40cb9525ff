// Records of batches and reversals as they are when they were accepted; what a test is about is given.
import type { Batch } from "#domain/batch.ts";
import { SELECTION_START, type Reversal } from "#domain/reversal.ts";

export function acceptedBatch(changes: Partial<Batch> = {}): Batch {
  return {
    batchId: "bat_1",
    clanId: "c",
    apiKeyId: "k",
    idempotencyKey: null,
    fingerprint: "",
    awards: [],
    state: "queued",
    cancelled: false,
    outcomes: [],
    appliedOnce: null,
    createdAt: new Date(0),
    startedAt: null,
    finishedAt: null,
    ...changes,
  };
}

/** Of the match `m` until its creation, by default. */
export function acceptedReversal(changes: Partial<Reversal> = {}): Reversal {
  const { clanId = "c", createdAt = new Date() } = changes;
  return {
    reversalId: "rev_1",
    clanId,
    apiKeyId: "k",
    actor: null,
    idempotencyKey: null,
    fingerprint: "",
    by: { matchId: "m" },
    reason: null,
    selection: { kind: "match", clanId, matchId: "m", from: new Date(0), until: createdAt },
    state: "queued",
    position: SELECTION_START,
    attempt: 0,
    selected: 0,
    reversed: 0,
    skipped: 0,
    amount: 0n,
    createdAt,
    startedAt: null,
    finishedAt: null,
    ...changes,
  };
}
