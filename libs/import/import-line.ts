// Parses a line of an imported file. CSV and NDJSON have the same fields; an empty cell is an absent one.
import { isLineKey } from "#domain/award-key.ts";
import { isPlatformId, REASON_CHARS_MAX, XP_MAX } from "#domain/bounds.ts";
import { columnName } from "#export/column-name.ts";
import { MEMBER_NAME_FORM, memberNameOf } from "#domain/member-name.ts";
import type { BadLine, ImportLine } from "#members/import-members.ts";

/** Names of the fields. Those that only an export has are ignored, so that an export can be imported. */
export const IMPORT_FIELDS = [
  "platformId",
  "xp",
  "membership",
  "appointedRank",
  "reason",
  "key",
  "name",
  "rank",
  "position",
  "last_award_at",
  "hidden",
] as const;

/** The field that has this column, by its name here or in an export. */
export function fieldNamed(column: string): (typeof IMPORT_FIELDS)[number] | undefined {
  return IMPORT_FIELDS.find((field) => field === column || columnName(field) === column);
}

/** `1,250`, `1.250` or `1 250`: which number it is depends on the country, so it is not guessed. */
const GROUPED = /^[+-]?\d+(?:[.,'\s\u00A0\u202F]\d+)+$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/i;

/** JSON numbers beyond 2^53. */
const LOST_DIGITS = "is a number that may have lost digits: write it as a text, in quotes";

export function importLine(line: number, fields: Readonly<Record<string, unknown>>): ImportLine | BadLine {
  const faults: string[] = [];
  for (const name of Object.keys(fields)) {
    if (!IMPORT_FIELDS.some((known) => known === name))
      faults.push(`the field ${JSON.stringify(name.slice(0, 40))} is unknown`);
  }
  const platformId = platformIdIn(fields["platformId"], faults);
  const reason = textIn(fields, "reason", faults);
  if (reason !== null && ([...reason].length > REASON_CHARS_MAX || !reason.isWellFormed() || reason.includes("\0"))) {
    faults.push(`reason is longer than ${REASON_CHARS_MAX} characters, or not a text`);
  }
  const key = textIn(fields, "key", faults);
  if (key !== null && !isLineKey(key)) faults.push("key is not 1 to 190 printable ASCII characters without spaces");
  const xp = xpIn(fields["xp"], faults);
  const joins = membershipIn(fields["membership"], faults);
  const appointedRank = textIn(fields, "appointedRank", faults);
  // A bad value is reported as such, not as a missing one.
  const changesNothing =
    ["xp", "appointedRank", "name"].every((name) => isAbsent(fields[name])) && isNo(fields["membership"]);
  if (changesNothing) faults.push("it has neither XP, nor a membership, nor an appointed rank, nor a name");
  const name = nameIn(fields, faults);
  const [fault] = faults;
  if (fault !== undefined) return { line, detail: faults.join("; ") };
  return { line, platformId, xp, joins, appointedRank, reason, key, name };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function textIn(fields: Readonly<Record<string, unknown>>, name: string, faults: string[]): string | null {
  const value = fields[name];
  if (isAbsent(value)) return null;
  if (typeof value === "string") return value;
  faults.push(`${name} is not a text`);
  return null;
}

function nameIn(fields: Readonly<Record<string, unknown>>, faults: string[]): string | null {
  const text = textIn(fields, "name", faults);
  if (text === null) return null;
  const name = memberNameOf(text);
  if (name === null) faults.push(`name does not have ${MEMBER_NAME_FORM}`);
  return name;
}

/** A number is an id as long as it is exact. */
function platformIdIn(value: unknown, faults: string[]): string {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === "string" && isPlatformId(text)) return text;
  faults.push(
    typeof value === "number"
      ? `platformId ${LOST_DIGITS}`
      : "the player ID is not 1 to 64 characters of A-Z a-z 0-9 . _ : @ | -",
  );
  return "";
}

/** A whole number, as text or as an exact JSON number. */
function xpIn(value: unknown, faults: string[]): bigint | null {
  if (isAbsent(value)) return null;
  const isInteger = typeof value === "string" ? /^[+-]?\d{1,19}$/.test(value) : Number.isSafeInteger(value);
  const xp = isInteger ? BigInt(String(value).replace("+", "")) : null;
  if (xp !== null && xp >= -XP_MAX && xp <= XP_MAX) return xp;
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(Number(value)) <= Number(XP_MAX)) {
    faults.push(`xp ${LOST_DIGITS}`);
    return null;
  }
  const hint = typeof value === "string" && GROUPED.test(value) ? ", without separators between its digits" : "";
  faults.push(`xp is not an integer${isInteger ? ` from -${XP_MAX} to ${XP_MAX}` : hint}`);
  return null;
}

function isNo(value: unknown): boolean {
  return isAbsent(value) || value === false || value === "false";
}

/** Yes, no, or the timestamp in an export, which means a membership from now on. */
function membershipIn(value: unknown, faults: string[]): boolean {
  if (isNo(value)) return false;
  if (value === true || value === "true" || (typeof value === "string" && TIMESTAMP.test(value))) return true;
  faults.push("membership is not true, false or a timestamp");
  return false;
}

/** By field of the import, the name of the column. */
export type ColumnMap = ReadonlyMap<string, string>;
