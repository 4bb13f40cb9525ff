// Decides what a call's outcome means for each of its awards (delivered, dropped, or sent again after a wait), and for
// the pace of the calls after it.
import type { Answer, Outcome } from "./attempt.ts";
import { backoffMs } from "./backoff-ms.ts";
import { ClanXpError } from "./error.ts";
import { entryFaults } from "./entry-faults.ts";
import type { Item } from "./pick.ts";
import { readResults } from "./read-results.ts";
import { restate } from "./restate.ts";

/** A Retry-After of hours delays the awards of that call, but no others for longer than this. */
const PAUSE_MS_MAX = 60_000;
/** A key's rate of awards may be too low for full calls: after this many 429 in a row, calls become smaller. */
const RATE_LIMITED_MAX = 3;

export type Pace = {
  /** No call begins before this time. 0 unless the service did not accept the last call. */
  pausedUntil: number;
  /** The number of consecutive calls that were answered 429. */
  rateLimited: number;
  /** How many awards the next call may contain. */
  entriesMax: number;
};

/** The awards that were sent, in order; null for those that were dropped since. */
type Batch = readonly (Item | null)[];

/** `maxEntries`: how many awards a call may contain while the service accepts calls. */
export function settleCall(batch: Batch, outcome: Outcome, pace: Pace, maxEntries: number): void {
  const unsettled = batch.filter((item) => item !== null);
  if (unsettled.length === 0) return;
  pace.pausedUntil = 0;
  if ("answer" in outcome) {
    pace.rateLimited = 0;
    pace.entriesMax = Math.min(maxEntries, pace.entriesMax + 1);
    return settleEach(batch, outcome.answer);
  }
  const { error, again, afterMs } = outcome;
  pace.rateLimited = error.status === 429 ? pace.rateLimited + 1 : 0;
  if (pace.rateLimited >= RATE_LIMITED_MAX) pace.entriesMax = Math.ceil(batch.length / 2);
  if (!again) return dropRejected(batch, error);
  const waitMs = Math.max(backoffMs(unsettled[0]?.tries ?? 1), afterMs);
  // One time for all awards: those that were sent in one call are sent again in one call.
  const now = performance.now();
  // A 500 may concern only these awards; every other retryable error concerns the service or the connection to it.
  if (error.status !== 500) pace.pausedUntil = now + Math.min(waitMs, PAUSE_MS_MAX);
  for (const item of unsettled) sendAgain(item, error, now + waitMs);
}

function settleEach(batch: Batch, { body, requestId, afterMs }: Answer): void {
  const results = readResults(body);
  for (const [index, item] of batch.entries()) {
    const result = results[index];
    if (!item || !result) continue;
    if (result.status === "rejected" || result.status === "failed") {
      const { code, detail } = result.error;
      const retryable = result.status === "failed";
      const error = new ClanXpError(code, detail, { retryable, ...(requestId && { requestId }) });
      if (retryable) sendAgain(item, error, performance.now() + Math.max(backoffMs(item.tries), afterMs));
      else item.drop(error);
      continue;
    }
    const { index: _, status, ...wire } = result;
    item.deliver({ ...wire, replayed: status === "replayed", idempotencyKey: item.award.idempotencyKey, requestId });
  }
}

/** Drops the awards that the error names. The others are sent again; if it names none, all are dropped. */
function dropRejected(batch: Batch, error: ClanXpError): void {
  const faults = entryFaults(error, batch.length);
  for (const [index, item] of batch.entries()) {
    const errors = faults.get(index);
    // A named award may have been dropped since.
    if (errors) item?.drop(restate(error, { errors }));
    else if (faults.size === 0) item?.drop(error);
    else if (item) item.flushAt = 0;
  }
}

/** A wait that would end after the deadline is not begun. */
function sendAgain(item: Item, error: ClanXpError, at: number): void {
  item.error = error;
  item.notBefore = at;
  item.flushAt = Math.min(item.flushAt, item.notBefore);
  if (item.notBefore >= item.deadlineAt) item.drop(error);
}
