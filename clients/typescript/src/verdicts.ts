// What became of each award that a call carried.
import type { Answer, Outcome } from "./attempt.ts";
import { backoffMs } from "./backoff-ms.ts";
import { entryFaults } from "./entry-faults.ts";
import { ClanXpError } from "./error.ts";
import type { Item } from "./pick.ts";
import { readResults, type WireResult } from "./read-results.ts";
import { restate } from "./restate.ts";
import type { AwardResult } from "./types.ts";

export type Verdict = { deliver: AwardResult } | { drop: ClanXpError } | { retry: ClanXpError; waitMs: number };
/** Null where it was dropped since the call began. */
type Sent = readonly (Item | null)[];

/** In the order of the call; null: there is nothing to say of it. `waitMs`: as the call failed, but may be repeated. */
export function verdictsOf(sent: Sent, outcome: Outcome, waitMs: number | null): (Verdict | null)[] {
  if ("answer" in outcome) return verdictsOfAnswer(sent, outcome.answer);
  const { error } = outcome;
  if (waitMs !== null) return sent.map(() => ({ retry: error, waitMs }));
  const faults = entryFaults(error);
  if (!sent.some((item, index) => item && faults.has(index))) return sent.map(() => ({ drop: error }));
  return sent.map((_, index) => {
    const errors = faults.get(index);
    return errors ? { drop: restate(error, { errors }) } : null;
  });
}

function verdictsOfAnswer(sent: Sent, answer: Answer): (Verdict | null)[] {
  const requestId = answer.headers.get("request-id") ?? "";
  let results: WireResult[];
  try {
    results = readResults(answer, sent.length);
  } catch (error) {
    return sent.map(() => ({ drop: error as ClanXpError }));
  }
  return sent.map((item, index) => {
    const result = results[index];
    return item && result ? verdictOf(item, result, requestId) : null;
  });
}

function verdictOf({ award, tries }: Item, result: WireResult, requestId: string): Verdict {
  if ("error" in result) {
    const { code, detail } = result.error;
    const retryable = result.status === "failed";
    const error = new ClanXpError(code, detail, { retryable, requestId });
    return retryable ? { retry: error, waitMs: backoffMs(tries) } : { drop: error };
  }
  const { index: _, status, ...wire } = result;
  return { deliver: { ...wire, replayed: status === "replayed", idempotencyKey: award.idempotencyKey, requestId } };
}
