// Arguments are checked before anything is sent.
import { ClanXpError } from "./error.ts";
import { callOptions } from "./option-names.ts";

/** NUL and lone surrogates cannot be stored; `toWellFormed` is missing in Node 18. */
const UNCLEAN = /[\0\p{Cs}]/u;

export function check(isRight: unknown, message: string): asserts isRight {
  if (!isRight) throw new ClanXpError("invalid_argument", message);
}

export function checkNumber(name: string, value: unknown, min: number, max = Infinity): void {
  check(typeof value === "number" && value >= min && value <= max, `${name} must be a number from ${min} to ${max}`);
}

export function checkInteger(name: string, value: unknown, min: number, max: number): void {
  check(Number.isInteger(value), `${name} must be an integer`);
  checkNumber(name, value, min, max);
}

/**
 * An object whose fields have the names in `known`, which spaces separate: a misspelled one must not be ignored. Values
 * are checked individually.
 */
export function checkObject(name: string, value: unknown, known: string): void {
  check(typeof value === "object" && value && !Array.isArray(value), `${name} must be an object`);
  const names = known.split(" ");
  const unknown = Object.keys(value).find((field) => !names.includes(field));
  check(unknown === undefined, `${name} has no field ${JSON.stringify(unknown)}. It accepts ${names.join(", ")}.`);
}

/** The options of a method, which accepts those of every call. `own`: its own, each with a space behind it. */
export function checkOptions(options: object, own = ""): void {
  checkObject("options", options, own + callOptions);
}

export function checkText(name: string, value: unknown): void {
  check(typeof value === "string" && !UNCLEAN.test(value), `${name} must be a string without NUL and lone surrogates`);
}

export function checkPlatformId(value: unknown): void {
  check(
    typeof value === "string" && /^(?!\.{1,2}$)[\w.:@|-]{1,64}$/.test(value),
    "platformId must be a string of 1 to 64 characters of A-Z a-z 0-9 . _ : @ | - other than . and ..",
  );
}

/** An idempotency key, or a cause, which becomes a part of one. */
export function checkKey(name: string, value: unknown, charsMax = 255): void {
  check(
    typeof value === "string" && value.length <= charsMax && /^[!#-[\]-~]+$/.test(value),
    `${name} must be a string of 1 to ${charsMax} printable ASCII characters without space, " and \\`,
  );
}

/** The types of fields by name; the service checks which of them may be combined. */
export function checkFields(name: string, fields: object, known: string): void {
  checkObject(name, fields, known);
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined && typeof value !== "boolean") checkText(`${name}.${field}`, value);
}

/** An id from the service, as part of a path. */
export function checkId(name: string, value: unknown): void {
  check(typeof value === "string" && /^[\w-]{1,255}$/.test(value), `${name} must be the id that the service returned`);
}
