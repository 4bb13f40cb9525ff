// What an error says: on one line, or at a field.
import { ApiError } from "../api/api-error.ts";

/** With the request's id, for the operator. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something unexpected happened on this page. Reload it.";
  return error.requestId === null ? error.message : `${error.message} Request ${error.requestId}`;
}

/** Undefined if the field has no fault. `pointer`: the field's place in the request, such as "/name". */
export function faultOf(error: Error | null, pointer: string): string | undefined {
  return error instanceof ApiError ? error.faults.find((fault) => fault.pointer === pointer)?.detail : undefined;
}
