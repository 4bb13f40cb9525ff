// What is wrong with what a caller sent: a JSON pointer (RFC 6901) and a sentence for each fault. The sentences are all
// ours, because the validation library's own texts are not part of the API and may change with its version.
import { z } from "zod";
import type { Fault } from "#domain/app-error.ts";

/**
 * Each of the seven values of 100 awards may be wrong. A body of 256 KiB can hold more faults: the others show once
 * these are fixed.
 */
const FAULTS_LISTED_MAX = 700;
/** A caller's own field names come back in pointers; a name of 100 KiB need not. */
const SEGMENT_CHARS_MAX = 500;

/** For every parse of what a caller sent: a schema's own message wins, and everything else gets one of these. */
export const parseOptions = { error: describe } as const;

/** One fault a place, the first that was found there. Unknown fields get one each, at their own pointer. */
export function faultsOf(error: z.ZodError): Fault[] {
  const faults = error.issues.flatMap(issuesOf).flatMap((issue): Fault[] => {
    if (issue.code !== "unrecognized_keys") return [{ pointer: pointerOf(issue.path), detail: issue.message }];
    return issue.keys.map((key) => ({ pointer: pointerOf([...issue.path, key]), detail: issue.message }));
  });
  return [...Map.groupBy(faults, (fault) => fault.pointer).values()]
    .flatMap(([first]) => first ?? [])
    .slice(0, FAULTS_LISTED_MAX);
}

/** Of a choice between forms: what is wrong with the one form that was meant, as far as that can be told. */
function issuesOf(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const byFaults = Map.groupBy(issue.errors, faultsIn);
  const [nearest, another] = byFaults.get(Math.min(...byFaults.keys())) ?? [];
  if (!nearest || another) return [issue];
  return nearest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function faultsIn(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((faults, issue) => faults + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
}

/**
 * Completes a sentence that begins with the name of the input. A new kind of issue does not compile until it has a
 * text.
 */
function describe(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${types[issue.expected] ?? "of another type"}`;
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "too_big":
      return `must ${issue.origin === "array" ? "have" : "be"} at most ${issue.maximum}${unitOf(issue.origin)}`;
    case "too_small":
      return `must ${issue.origin === "array" ? "have" : "be"} at least ${issue.minimum}${unitOf(issue.origin)}`;
    case "unrecognized_keys":
      return unknownField(issue.inst);
    case "not_multiple_of":
    case "invalid_format":
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
    case "custom":
      return "does not have the documented form";
  }
}

const types: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  null: "null",
  undefined: "absent",
};

function unitOf(origin: string): string {
  if (origin === "string") return " characters long";
  return origin === "array" ? " entries" : "";
}

/** Says what is accepted instead, as far as the schema names it. */
function unknownField(schema: unknown): string {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return names.length === 0 ? "is unknown" : `is unknown; accepted here: ${names.join(", ")}`;
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((segment) => `/${escapeSegment(String(segment))}`).join("");
}

function escapeSegment(segment: string): string {
  return segment.slice(0, SEGMENT_CHARS_MAX).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
}
