// Every code that a rejected entry of a batch can have (docs/reference/errors.md). Only batches have `cancelled`; no
// error response does.

export const batchCodes = [
  "invalid_request",
  "scope_missing",
  "budget_exceeded",
  "member_not_found",
  "cancelled",
] as const;

export type BatchCode = (typeof batchCodes)[number];

export const CANCELLED_DETAIL = "The batch was cancelled before this award was applied.";
