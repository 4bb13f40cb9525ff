// Describes invalid input: a JSON pointer (RFC 6901) and a sentence for each fault. All sentences are written here,
// because the validation library's texts may change with its version and are not part of the API.
import { z } from "zod";
import type { Fault } from "#kernel/app-error.ts";

/**
 * Each of the seven values of 100 awards may be invalid. A body of 256 KiB can contain more faults: the others are
 * reported once these are fixed.
 */
const FAULTS_LISTED_MAX = 700;
/** Pointers contain the caller's own field names, but very long names are cut off. */
const SEGMENT_CHARS_MAX = 500;

/**
 * For every parse of a caller's input: a schema's own message takes precedence, and everything else gets one of these.
 */
export const parseOptions = { error: describe } as const;

/** At most one fault per place: the first that was found. Each unknown field has its own fault, at its own pointer. */
export function faultsOf(error: z.ZodError): Fault[] {
  const faults = error.issues.flatMap(issuesOf).flatMap((issue): Fault[] => {
    if (issue.code !== "unrecognized_keys") return [{ pointer: pointerOf(issue.path), detail: issue.message }];
    return issue.keys.map((key) => ({ pointer: pointerOf([...issue.path, key]), detail: issue.message }));
  });
  return [...Map.groupBy(faults, (fault) => fault.pointer).values()]
    .flatMap(([first]) => first ?? [])
    .slice(0, FAULTS_LISTED_MAX);
}

/**
 * For a choice between forms: the faults of the form that the caller most likely intended, if one can be determined.
 */
function issuesOf(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const byFaults = Map.groupBy(issue.errors, faultsIn);
  const [nearest, ...others] = byFaults.get(Math.min(...byFaults.keys())) ?? [];
  const isSameFault = (other: readonly z.core.$ZodIssue[]): boolean =>
    nearest?.length === 1 &&
    nearest[0]?.path.length === 0 &&
    other[0]?.path.length === 0 &&
    nearest[0].message === other[0]?.message;
  if (!nearest || !others.every(isSameFault)) return [issue];
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
      return wrongType(issue.expected, issue.input);
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}${notOfTypes(issue.values, issue.input)}`;
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

/** Names the type that was sent. For a number, a string of its digits is the most likely mistake. */
export function wrongType(expected: string, input: unknown): string {
  const form = `must be ${types[expected] ?? "of another type"}`;
  if (expected !== "int" && expected !== "number") return `${form}, not ${typeName(input)}`;
  if (typeof input === "number") return Number.isFinite(input) ? `${form}, not a number with a fraction` : form;
  return `${form}${typeof input === "string" ? " (a JSON number)" : ""}, not ${typeName(input)}`;
}

/** The same for a choice of values, if none of them has the type that was sent. */
function notOfTypes(values: readonly unknown[], input: unknown): string {
  return values.some((value) => typeName(value) === typeName(input)) ? "" : `, not ${typeName(input)}`;
}

/** The JSON type of a value, with its article. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
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

/** Names the accepted fields, if the schema has them. */
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
