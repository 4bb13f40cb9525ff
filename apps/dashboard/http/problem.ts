// Creates every error response from its error.
import type { Response } from "express";
import { AppError } from "#domain/app-error.ts";
import type { ErrorCode } from "#domain/error-code.ts";
import { dashboardProblems, type DashboardCode } from "#contract/dashboard/problem.ts";
import { PROBLEM_MEDIA_TYPE } from "#contract/problem.ts";
import { DashboardError } from "./dashboard-error.ts";

/** A restart or an election of MongoDB takes about as long. */
const RETRY_AFTER_S = 1;
const NOT_FOUND: ReadonlySet<ErrorCode> = new Set(["member_not_found", "batch_not_found", "reversal_not_found"]);
/** The form was changed after a first attempt whose response was lost, and the first attempt was applied. */
const OTHER_CHANGE =
  "An earlier attempt at this change was applied with other values. This attempt changed nothing. Check the result before you try again.";

export function dashboardErrorOf(error: unknown): DashboardError {
  if (error instanceof DashboardError) return error;
  if (error instanceof AppError) {
    const { message, faults, cause } = error;
    if (NOT_FOUND.has(error.code)) return new DashboardError("not_found", message, { faults });
    if (error.code === "idempotency_key_reused") return new DashboardError("conflict", OTHER_CHANGE);
    if (isDashboardCode(error.code)) return new DashboardError(error.code, message, { faults, cause });
  }
  return (
    parserErrorOf(error) ??
    new DashboardError(
      "internal",
      "An unexpected error occurred. It is not known whether anything was changed: check before you try again.",
      { cause: error },
    )
  );
}

export function sendProblem(res: Response, error: DashboardError, requestId: string): void {
  const { status, title } = dashboardProblems[error.code];
  const retryAfterS = error.retryAfterS ?? (status === 503 ? RETRY_AFTER_S : null);
  if (retryAfterS !== null) res.set("Retry-After", String(retryAfterS));
  const errors = error.faults.length > 0 ? { errors: error.faults } : {};
  res.status(status).type(PROBLEM_MEDIA_TYPE);
  res.send(
    JSON.stringify({
      type: `urn:clanxp:dashboard:${error.code}`,
      title,
      status,
      code: error.code,
      detail: error.message,
      requestId,
      ...errors,
    }),
  );
}

function isDashboardCode(code: string): code is DashboardCode {
  return Object.hasOwn(dashboardProblems, code);
}

/** Errors of Express's own body parser. */
function parserErrorOf(error: unknown): DashboardError | null {
  const type: unknown = error instanceof Error ? Reflect.get(error, "type") : undefined;
  switch (type) {
    case "entity.parse.failed":
      return new DashboardError("invalid_json", "The request body is not valid JSON.");
    case "entity.too.large":
      return new DashboardError("body_too_large", "The request body is too large.");
    case "charset.unsupported":
    case "encoding.unsupported":
      return new DashboardError("unsupported_media_type", "The request body must be JSON in UTF-8.");
    case "request.aborted":
    case "request.size.invalid":
    case "entity.verify.failed":
      return new DashboardError("invalid_request", "The request body did not arrive as announced.");
    default:
      return error instanceof URIError
        ? new DashboardError("invalid_request", "The path is not percent-encoded UTF-8.")
        : null;
  }
}
