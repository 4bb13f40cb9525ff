// Creates every error response from its error.
import type { Response } from "express";
import { AppError } from "#kernel/app-error.ts";
import type { ErrorCode } from "#kernel/error-code.ts";
import { dashboardProblems, type DashboardCode } from "#contract/dashboard/problem.ts";
import { problemOf } from "#http/problem.ts";
import { DashboardError } from "./dashboard-error.ts";

const NOT_FOUND: ReadonlySet<ErrorCode> = new Set([
  "member_not_found",
  "batch_not_found",
  "reversal_not_found",
  "board_not_found",
]);
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
  if (error instanceof URIError) return new DashboardError("invalid_request", "The path is not percent-encoded UTF-8.");
  return new DashboardError(
    "internal",
    "An unexpected error occurred. It is not known whether anything was changed: check before you try again.",
    { cause: error },
  );
}

export function sendProblem(res: Response, error: DashboardError, requestId: string): void {
  const type = `urn:clanxp:dashboard:${error.code}`;
  const { status, contentType, headers, body } = problemOf(
    error,
    { ...dashboardProblems[error.code], type },
    requestId,
  );
  res.set(headers).status(status).type(contentType).send(JSON.stringify(body));
}

function isDashboardCode(code: string): code is DashboardCode {
  return Object.hasOwn(dashboardProblems, code);
}
