// Every code of an error (docs/reference/errors.md). Codes are stable: callers branch on them, never on texts.

export const errorCodes = [
  "invalid_json",
  "invalid_request",
  "key_missing",
  "key_invalid",
  "key_revoked",
  "key_expired",
  "signature_invalid",
  "key_clan_mismatch",
  "scope_missing",
  "budget_exceeded",
  "not_found",
  "member_not_found",
  "batch_not_found",
  "reversal_not_found",
  "board_not_found",
  "period_not_found",
  "method_not_allowed",
  "cursor_expired",
  "body_too_large",
  "too_many_awards",
  "unsupported_media_type",
  "idempotency_key_reused",
  "rate_limited",
  "internal",
  "unavailable",
  "busy",
  "outcome_unknown",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Codes that reject one award of several permanently: a retry is rejected again until the cause changes. */
export const entryRejectionCodes = [
  "member_not_found",
  "idempotency_key_reused",
  "scope_missing",
  "budget_exceeded",
] as const satisfies ErrorCode[];
export type EntryRejectionCode = (typeof entryRejectionCodes)[number];

/** Codes of one award of several that could not be settled: it must be sent again under its key. */
export const entryFailureCodes = ["busy", "unavailable", "outcome_unknown"] as const satisfies ErrorCode[];
export type EntryFailureCode = (typeof entryFailureCodes)[number];

export function isEntryFailure(code: ErrorCode): code is EntryFailureCode {
  const codes: readonly ErrorCode[] = entryFailureCodes;
  return codes.includes(code);
}
