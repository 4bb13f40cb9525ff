// Every error response: RFC 9457 with a stable `code`; `type` links to the section of the code in
// docs/reference/errors.md.
import { z } from "zod";
import { errorCodes, type ErrorCode } from "#kernel/error-code.ts";

export const PROBLEM_MEDIA_TYPE = "application/problem+json";
/** The API serves the page itself, so that the link works wherever it runs. */
export const ERRORS_PAGE_PATH = "/docs/reference/errors.md";

/** Maps each code to its status. */
export const problems = {
  invalid_json: { status: 400, title: "The body is not JSON" },
  invalid_request: { status: 400, title: "The request is not valid" },
  key_missing: { status: 401, title: "API key required" },
  key_invalid: { status: 401, title: "The API key is not valid" },
  key_revoked: { status: 401, title: "The API key was revoked" },
  key_expired: { status: 401, title: "The API key has expired" },
  signature_invalid: { status: 401, title: "The signature is not valid" },
  key_clan_mismatch: { status: 403, title: "The API key belongs to another clan" },
  scope_missing: { status: 403, title: "The API key lacks a scope" },
  budget_exceeded: { status: 403, title: "The API key's budget is exceeded" },
  not_found: { status: 404, title: "Path not found" },
  member_not_found: { status: 404, title: "Member not found" },
  batch_not_found: { status: 404, title: "Batch not found" },
  reversal_not_found: { status: 404, title: "Reversal not found" },
  board_not_found: { status: 404, title: "Board not found" },
  period_not_found: { status: 404, title: "Period not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  cursor_expired: { status: 410, title: "The cursor has expired" },
  body_too_large: { status: 413, title: "The body is too large" },
  too_many_awards: { status: 413, title: "The request has too many awards" },
  unsupported_media_type: { status: 415, title: "The media type is not supported" },
  idempotency_key_reused: { status: 422, title: "The idempotency key was used for another request" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "Internal error" },
  unavailable: { status: 503, title: "The database is unavailable" },
  busy: { status: 503, title: "The service is overloaded" },
  outcome_unknown: { status: 503, title: "The outcome of the request is unknown" },
} as const satisfies Record<ErrorCode, { status: number; title: string }>;

export const Problem = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(errorCodes),
    detail: z.string(),
    requestId: z.string(),
    errors: z.array(z.strictObject({ pointer: z.string(), detail: z.string() })).exactOptional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof Problem>;

export function problemType(code: ErrorCode): string {
  return `${ERRORS_PAGE_PATH}#${code}`;
}
