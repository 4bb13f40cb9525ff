// A batch as it is kept. States: queued → running → done; a batch whose worker died goes on from running, never back.
//
// What is refused is decided when the batch is accepted and stands in `awards`; a worker only applies the rest. So two deliveries
// of one job cannot disagree about an entry (docs/decisions/0009).
import type { ErrorCode } from "#domain/error-code.ts";

export type BatchState = "queued" | "running" | "done";

/** `platformId` null: what was sent is no string. */
export type RefusedAward = { platformId: string | null; code: ErrorCode; detail: string };
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
  /** `outcomes[i]` answers `awards[i]`; empty until done. */
  outcomes: readonly BatchOutcome[];
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};

export function isRefused(item: object): item is RefusedAward {
  return "code" in item;
}
