// Creates every error response from its error.
import { AppError } from "#domain/app-error.ts";
import { PROBLEM_MEDIA_TYPE, problems, problemType, type Problem } from "#contract/problem.ts";
import type { HttpResponse } from "./http/response.ts";
import { RateLimited } from "./rate-limits.ts";

/** `Retry-After` in seconds: a restart or an election of MongoDB takes about as long. */
const RETRY_AFTER_S = "1";

/** An error that must list the supported methods (RFC 9110 15.5.6). */
export class MethodNotAllowed extends AppError {
  readonly allow: string;

  constructor(methods: readonly string[]) {
    const allow = methods.join(", ");
    super("method_not_allowed", `This path supports ${allow}.`);
    this.allow = allow;
  }
}

export function problemResponse(error: AppError, requestId: string): HttpResponse {
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
    contentType: PROBLEM_MEDIA_TYPE,
    headers: [
      ...(status === 401 ? ["www-authenticate", "Bearer"] : []),
      ...(error instanceof RateLimited ? ["retry-after", String(error.retryAfterS)] : []),
      ...(error instanceof MethodNotAllowed ? ["allow", error.allow] : []),
      ...(status === 503 ? ["retry-after", RETRY_AFTER_S] : []),
    ],
    body,
  };
}
