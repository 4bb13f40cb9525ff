// What a schema found wrong, as the API tells it: one JSON pointer (RFC 6901) and one sentence each.
import type { z } from "zod";
import type { Fault } from "#domain/app-error.ts";

/** Each of the seven values of 100 awards may be wrong. A body of 256 KiB can hold more faults: the others show once these are fixed. */
const FAULTS_TOLD_MAX = 700;
/** A caller's own field names come back in pointers; a name of 100 KiB need not. */
const SEGMENT_CHARS_MAX = 500;

/** What is missing and what is inexact get a sentence of their own; everything else has the schema's. */
export const parseOptions = {
  error({ input }: { input: unknown }): string | undefined {
    if (input === undefined) return "is required";
    // JSON has no NaN: read-json.ts puts it where a number lost digits.
    if (Number.isNaN(input)) return "is not an integer";
    return undefined;
  },
} as const;

/** One fault a place, the first that was found there. Unknown fields get one each, at their own pointer. */
export function faultsOf(error: z.ZodError): Fault[] {
  const faults = error.issues.flatMap((issue): Fault[] => {
    if (issue.code !== "unrecognized_keys") return [{ pointer: pointerOf(issue.path), detail: issue.message }];
    return issue.keys.map((key) => ({ pointer: pointerOf([...issue.path, key]), detail: "is not a field of this request" }));
  });
  return [...Map.groupBy(faults, (fault) => fault.pointer).values()].flatMap(([first]) => first ?? []).slice(0, FAULTS_TOLD_MAX);
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((segment) => `/${escapeSegment(String(segment))}`).join("");
}

function escapeSegment(segment: string): string {
  return segment.slice(0, SEGMENT_CHARS_MAX).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
}
