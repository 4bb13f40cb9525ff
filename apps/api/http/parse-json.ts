// Parses a body's bytes as JSON: in UTF-8, and without numbers that lost their fraction.
import { AppError } from "#domain/app-error.ts";
import { keepFractions } from "./exact-numbers.ts";

/** Throws AppError `invalid_json`. Changes `bytes`. */
export function parseJson(bytes: Buffer): unknown {
  keepFractions(bytes);
  return parseText(decodeUtf8(bytes));
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new AppError("invalid_json", "The body is not UTF-8.", { cause });
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const detail = text.trim() === "" ? "The body is empty." : `The body is not JSON: ${positionIn(cause)}.`;
    throw new AppError("invalid_json", detail, { cause });
  }
}

function positionIn(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  return /at position \d+/.exec(message)?.[0] ?? "it is incomplete or malformed";
}
