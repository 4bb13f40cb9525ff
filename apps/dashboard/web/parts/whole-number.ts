// A typed whole number, with or without separators. NaN for any other text: a schema then reports it.
import { plainNumber } from "./plain-number.ts";

export function wholeNumber(typed: string): number {
  const text = plainNumber(typed);
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
