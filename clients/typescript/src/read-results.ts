// The results of a call with several awards: one for each award, in the same order.
import type { Answer } from "./attempt.ts";
import type { EntryResult } from "./types.ts";
import { unexpectedAnswer } from "./unexpected-answer.ts";

/** A result without the key, which the client adds. */
export type WireResult = EntryResult extends infer Result
  ? Result extends unknown
    ? Omit<Result, "idempotencyKey">
    : never
  : never;

export function readResults(answer: Answer, count: number): WireResult[] {
  const { results } = answer.body as { results?: WireResult[] };
  if (Array.isArray(results) && results.length === count && results.every(isResult)) return results;
  throw unexpectedAnswer(answer, `a result for each of ${count} awards`);
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
