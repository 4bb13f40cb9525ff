// A body's bytes as the JSON value they are: in UTF-8, of bounded depth, and with no number that lost its fraction.
import { AppError } from "#domain/app-error.ts";
import { JSON_DEPTH_MAX } from "#domain/bounds.ts";
import { keepFractions } from "./exact-numbers.ts";

/** Throws AppError `invalid_json`, `invalid_request` (too deep). Changes `bytes`. */
export function parseJson(bytes: Buffer): unknown {
  keepFractions(bytes);
  const value = parseText(decodeUtf8(bytes));
  if (!depthExceeds(value, JSON_DEPTH_MAX)) return value;
  throw new AppError(
    "invalid_request",
    `The request body is nested deeper than ${JSON_DEPTH_MAX} levels. Nothing was applied.`,
  );
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

function depthExceeds(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  // A body may hold 100,000 numbers: only what nests is looked into.
  return inner.some((one) => typeof one === "object" && depthExceeds(one, levels - 1));
}
