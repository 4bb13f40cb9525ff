// The fault of one field in an error response; undefined if there is none.
import { ApiError } from "../api/api-error.ts";

/** `pointer`: the field's place in the request, such as "/name". */
export function faultOf(error: Error | null, pointer: string): string | undefined {
  return error instanceof ApiError ? error.faults.find((fault) => fault.pointer === pointer)?.detail : undefined;
}
