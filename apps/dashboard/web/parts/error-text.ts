// An error on one line, with the request's id for the operator.
import { ApiError } from "../api/api-error.ts";

export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something unexpected happened on this page. Reload it.";
  return error.requestId === null ? error.message : `${error.message} Request ${error.requestId}`;
}
