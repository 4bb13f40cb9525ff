// A batch as it is kept. States: queued → running → done; a batch whose worker died goes on from running, never back.
//
// What is refused is decided when the batch is accepted and stands in `awards`; a worker only applies the rest. So two
// deliveries of one job cannot disagree about an entry (docs/decisions/0009). Where the batch is cancelled the ledger
// decides (docs/decisions/0024).
import type { BatchCode } from "#domain/batch-code.ts";

export type BatchState = "queued" | "running" | "done";

/** `platformId` null: what was sent is no string. */
export type RefusedAward = { platformId: string | null; code: BatchCode; detail: string };
export type AdmittedAward = { platformId: string; amount: bigint };
export type BatchAward = AdmittedAward | RefusedAward;

export type AppliedOutcome = { platformId: string; xp: bigint; rank: string };
export type BatchOutcome = AppliedOutcome | RefusedAward;

export type Batch = {
  batchId: string;
  clanId: string;
  apiKeyId: string;
  idempotencyKey: string | null;
  fingerprint: string;
  awards: readonly BatchAward[];
  state: BatchState;
  /** What is not applied yet is to be rejected. */
  cancelled: boolean;
  /** `outcomes[i]` answers `awards[i]`; empty until done. */
  outcomes: readonly BatchOutcome[];
  /** Of a batch whose awards and outcomes are no longer kept: how many were applied. Else null. */
  appliedOnce: number | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};

/** Of a batch that is done. */
export function appliedIn({ outcomes, appliedOnce }: Pick<Batch, "outcomes" | "appliedOnce">): number {
  return appliedOnce ?? outcomes.filter((outcome) => !isRefused(outcome)).length;
}

export function isRefused(item: object): item is RefusedAward {
  return "code" in item;
}
