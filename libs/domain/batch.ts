// A batch as it is stored. States: queued → running → done. A batch whose worker died continues from running, never
// from an earlier state.
//
// Which awards are rejected is decided when the batch is accepted, and stored in `awards`; a worker only applies the
// others. So two deliveries of one job cannot disagree about an entry (docs/decisions/0009). In a cancelled batch the
// ledger decides (docs/decisions/0024).

/** Every code that a rejected entry can have (docs/reference/errors.md). Only batches have `cancelled`: no response does. */
export const batchCodes = [
  "invalid_request",
  "scope_missing",
  "budget_exceeded",
  "member_not_found",
  "cancelled",
] as const;

export type BatchCode = (typeof batchCodes)[number];

export const CANCELLED_DETAIL = "The batch was cancelled before this award was applied.";

export type BatchState = "queued" | "running" | "done";

/** `platformId` is null if the caller did not send a string. */
export type RejectedAward = { platformId: string | null; code: BatchCode; detail: string };
export type AdmittedAward = { platformId: string; amount: bigint };
export type BatchAward = AdmittedAward | RejectedAward;

export type AppliedOutcome = { platformId: string; xp: bigint; rank: string };
export type BatchOutcome = AppliedOutcome | RejectedAward;

export type Batch = {
  batchId: string;
  clanId: string;
  apiKeyId: string;
  idempotencyKey: string | null;
  fingerprint: string;
  awards: readonly BatchAward[];
  state: BatchState;
  /** Awards that are not applied yet must be rejected. */
  cancelled: boolean;
  /** `outcomes[i]` answers `awards[i]`; empty until done. */
  outcomes: readonly BatchOutcome[];
  /** For a batch whose awards and outcomes have been deleted: the number of applied awards. Otherwise null. */
  appliedOnce: number | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};

/** Only for a batch that is done. */
export function appliedIn({ outcomes, appliedOnce }: Pick<Batch, "outcomes" | "appliedOnce">): number {
  return appliedOnce ?? outcomes.filter((outcome) => !isRejected(outcome)).length;
}

export function isRejected(item: object): item is RejectedAward {
  return "code" in item;
}
