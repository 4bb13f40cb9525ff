// The results of a call with several awards: one for each award, in the same order.
import type { Body } from "./attempt.ts";
import type { EntryResult } from "./types.ts";

/** A result without the key, which the client adds. */
type WireResult = EntryResult extends infer Result
  ? Result extends unknown
    ? Omit<Result, "idempotencyKey">
    : never
  : never;

/** Whether a body has a result for each of `count` awards. */
export function hasResults({ results }: Body, count: number): boolean {
  return Array.isArray(results) && results.length === count && results.every(isResult);
}

/** The results of a body that has them. */
export function readResults({ results }: Body): WireResult[] {
  return results as WireResult[];
}

function isResult(result: WireResult | null | undefined): boolean {
  switch (result?.status) {
    case "applied":
    case "replayed":
      return typeof result.xp === "string";
    case "rejected":
    case "failed":
      return typeof result.error?.code === "string";
    default:
      return false;
  }
}
