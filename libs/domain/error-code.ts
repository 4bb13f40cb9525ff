// Every name a refusal can carry (docs/reference/errors.md). Stable: callers branch on these, never on texts.

export const errorCodes = [
  "invalid_json",
  "invalid_request",
  "key_missing",
  "key_invalid",
  "key_revoked",
  "key_expired",
  "key_clan_mismatch",
  "scope_missing",
  "not_found",
  "member_not_found",
  "batch_not_found",
  "method_not_allowed",
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
