// The one code → status table, and the shape of every error answer (CONTRACT 5).
import { AppError } from "#domain/app-error.ts";
import type { ErrorCode } from "#domain/error-code.ts";
import { PROBLEM_MEDIA_TYPE, problemType, type Problem } from "#contract/problem.ts";
import type { Answer } from "./endpoint.ts";
import { RateLimited } from "./rates.ts";

const problems = {
  invalid_json: { status: 400, title: "The body is not JSON" },
  invalid_request: { status: 400, title: "The request is not valid" },
  key_missing: { status: 401, title: "An API key is needed" },
  key_invalid: { status: 401, title: "The API key is not valid" },
  key_revoked: { status: 401, title: "The API key was revoked" },
  key_expired: { status: 401, title: "The API key has expired" },
  key_clan_mismatch: { status: 403, title: "The API key belongs to another clan" },
  scope_missing: { status: 403, title: "The API key lacks a scope" },
  not_found: { status: 404, title: "There is nothing at this path" },
  member_not_found: { status: 404, title: "There is no such member" },
  batch_not_found: { status: 404, title: "There is no such batch" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  body_too_large: { status: 413, title: "The body is too large" },
  too_many_awards: { status: 413, title: "The batch has too many awards" },
  unsupported_media_type: { status: 415, title: "The media type is not supported" },
  idempotency_key_reused: { status: 422, title: "The idempotency key stands for another request" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "Something failed on our side" },
  unavailable: { status: 503, title: "The service cannot reach its database" },
  busy: { status: 503, title: "The service is busy" },
  outcome_unknown: { status: 503, title: "It is not known whether the request took effect" },
} as const satisfies Record<ErrorCode, { status: number; title: string }>;

/** Seconds after which a refused caller may come again: a restart or an election of MongoDB takes about as long. */
const RETRY_AFTER_S = "1";

/** A refusal that must name the methods there are (RFC 9110 15.5.6). */
export class MethodNotAllowed extends AppError {
  readonly allow: string;

  constructor(methods: readonly string[]) {
    const allow = methods.join(", ");
    super("method_not_allowed", `This path answers ${allow}.`);
    this.allow = allow;
  }
}

export function problemAnswer(error: AppError, requestId: string): Answer {
  const { status, title } = problems[error.code];
  const body: Problem = {
    type: problemType(error.code),
    title,
    status,
    code: error.code,
    detail: error.message,
    requestId,
    ...(error.faults.length > 0 ? { errors: [...error.faults] } : {}),
  };
  return {
    status,
    headers: {
      "content-type": PROBLEM_MEDIA_TYPE,
      ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
      ...(error instanceof RateLimited ? { "retry-after": String(error.retryAfterS) } : {}),
      ...(error instanceof MethodNotAllowed ? { allow: error.allow } : {}),
      ...(status === 503 ? { "retry-after": RETRY_AFTER_S } : {}),
    },
    body,
  };
}
