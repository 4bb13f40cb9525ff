// How many calls may be in progress, how large they are and when the next one begins, by what became of the last ones.
import type { Outcome } from "./attempt.ts";

/** Enough that one call which hangs holds up nobody else; few enough to be kind to a service that is slow. */
const CALLS_MAX = 10;
/** A key may have a rate of awards that no full call ever fits: after so many 429 in a row calls become smaller. */
const RATE_LIMITED_MAX = 3;

export function makePace(maxEntries: number) {
  /**
   * The service did not take the last call: until it takes one, calls go one at a time, and none before this moment.
   */
  let failing = false;
  let pausedUntil = 0;
  /** Calls in a row that were answered 429, and how many awards the next one may carry. */
  let rateLimited = 0;
  let entriesMax = maxEntries;

  return {
    callsMax: () => (failing ? 1 : CALLS_MAX),
    pausedUntil: () => pausedUntil,
    entriesMax: () => entriesMax,
    /** `sent`: how many awards the call carried. `waitMs`: until it may be sent again; null: it is not. */
    note(outcome: Outcome, sent: number, waitMs: number | null): void {
      failing = false;
      pausedUntil = 0;
      if ("answer" in outcome) {
        rateLimited = 0;
        entriesMax = Math.min(maxEntries, entriesMax + 1);
        return;
      }
      const { status } = outcome.error;
      rateLimited = status === 429 ? rateLimited + 1 : 0;
      if (rateLimited >= RATE_LIMITED_MAX) entriesMax = Math.ceil(sent / 2);
      // 500 may be about these awards alone; everything else that passes is about the service or the way to it.
      if (waitMs === null || status === 500) return;
      failing = true;
      pausedUntil = performance.now() + waitMs;
    },
  };
}
