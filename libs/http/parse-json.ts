// Parses a body's bytes as JSON: in UTF-8, and without numbers that lost their fraction.
import { isUtf8 } from "node:buffer";
import { AppError } from "#kernel/app-error.ts";
import { keepFractions } from "#contract/exact-numbers.ts";

/** Throws AppError `invalid_json`. Changes `bytes`. */
export function parseJson(bytes: Buffer): unknown {
  keepFractions(bytes);
  return parseText(decodeUtf8(bytes));
}

const BYTE_ORDER_MARK = "\ufeff";

/** Rejects invalid UTF-8, as a fatal TextDecoder does, at a fraction of its cost. */
function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new AppError("invalid_json", "The body is not UTF-8.");
  const text = bytes.toString();
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const detail = text.trim() === "" ? "The body is empty." : `The body is not JSON: ${faultIn(text, cause)}.`;
    throw new AppError("invalid_json", detail, { cause });
  }
}

/** What was found where. */
function faultIn(text: string, error: unknown): string {
  const at = placeOf(text, error);
  if (at === null) return "it is malformed";
  if (at >= text.length) return `it ends too early, after ${text.length} characters`;
  const found = String.fromCodePoint(text.codePointAt(at) ?? 0).toWellFormed();
  const fault = `found ${JSON.stringify(found)} at position ${at}`;
  if (/Expected (?:double-quoted )?property name/.test(messageOf(error)))
    return `${fault}, where a name in double quotes is expected`;
  return found === "'" ? `${fault}. Texts need double quotes` : fault;
}

/** Larger texts are not searched: every step parses half of the rest again. */
const SEARCHED_CHARS_MAX = 64 * 1024;

/** The index of the first character that no JSON text could have there; null if it is not known. */
function placeOf(text: string, error: unknown): number | null {
  const named = placeIn(text, error);
  if (named !== null || text.length > SEARCHED_CHARS_MAX) return named;
  // The parser names the character, but not its place: the longest beginning that could be continued ends before it.
  let [begins, fails] = [0, text.length];
  while (fails - begins > 1) {
    const middle = (begins + fails) >> 1;
    if (canBegin(text.slice(0, middle))) begins = middle;
    else fails = middle;
  }
  const word = /[a-z]*$/i.exec(text.slice(0, begins))?.[0] ?? "";
  return begins - word.length;
}

/** Whether some JSON text begins with this one. */
function canBegin(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    return placeIn(text, error) === text.length;
  }
}

function placeIn(text: string, error: unknown): number | null {
  const message = messageOf(error);
  if (message.startsWith("Unexpected end")) return text.length;
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined ? null : Number(position);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
