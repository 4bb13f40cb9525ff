// Deletes by age, a bounded number at a time: details of batches and reversals that were done long ago, events, and
// standings. The data that a retry needs stays: the id, the state, and the idempotency key with its fingerprint; for a
// batch also the number of applied awards (docs/decisions/0029).
//
// Can be interrupted anywhere and run in several workers at the same time: each step finds what is left.
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

/**
 * Returns how many records it changed: fewer if `stopping` is aborted meanwhile. Throws AppError `unavailable`; then
 * run it again.
 */
export type ApplyRetention = (stopping: AbortSignal) => Promise<number>;

/**
 * Deletes at most `limit` of those that are older than this by MongoDB's clock, and returns how many. Throws AppError
 * `unavailable`.
 */
export type DeleteOld = (options: { olderThanMs: number; limit: number }) => Promise<number>;

const DAY_MS = 86_400_000;

/**
 * `retentionDays` null keeps everything. `pause` runs between two steps, so that awards take precedence; `tookMs`: the
 * last one.
 */
export function makeApplyRetention(deps: {
  deleteOld: DeleteOld;
  /** Of a step. */
  limit: number;
  retentionDays: number | null;
  /** The event that is logged when something was deleted. */
  event: "batch.retention" | "reversal.retention" | "event.retention" | "board.retention" | "erasure_request.retention";
  pause: (stopping: AbortSignal, tookMs: number) => Promise<void>;
  clock: Pick<Clock, "monotonicMs">;
  log: Log;
}): ApplyRetention {
  const { deleteOld, limit, retentionDays, event, clock, log } = deps;

  return async function applyRetention(stopping) {
    if (retentionDays === null) return 0;
    const olderThanMs = retentionDays * DAY_MS;
    let total = 0;
    for (let changed = limit; changed === limit && !stopping.aborted;) {
      const beganAtMs = clock.monotonicMs();
      changed = await deleteOld({ olderThanMs, limit });
      total += changed;
      if (changed === limit) await deps.pause(stopping, clock.monotonicMs() - beganAtMs);
    }
    if (total > 0) log.info({ records: total, retentionDays }, event);
    return total;
  };
}
