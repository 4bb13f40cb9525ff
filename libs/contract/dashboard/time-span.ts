// A time span in a query or a body. `from` is inclusive, `to` exclusive; without one of them, it has no such end.
import { isBefore } from "#domain/timestamp.ts";

export function isForward({ from, to }: { from?: string | undefined; to?: string | undefined }): boolean {
  return from === undefined || to === undefined || isBefore(from, to);
}

/** The fault of a span for which `isForward` is false. */
export const BACKWARD = { path: ["to"], error: "must be later than from" };
