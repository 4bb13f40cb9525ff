// Deletes the details of batches or reversals that were done long ago, a bounded number at a time. The data that a
// retry needs stays: the id, the state, and the idempotency key with its fingerprint; for a batch also the number of
// applied awards (docs/decisions/0029).
//
// Can be interrupted anywhere and run in several workers at the same time: each step is one write to records that still
// have the details.
import { RETENTION_PAGE } from "#usecases/batches/bounds.ts";
import type { BatchStore } from "#usecases/batches/ports.ts";
import type { Log } from "#runtime/ports.ts";

/**
 * Returns how many records it changed: fewer if `stopping` is aborted meanwhile. Throws AppError `unavailable`; then
 * run it again.
 */
export type ApplyRetention = (stopping: AbortSignal) => Promise<number>;

const DAY_MS = 86_400_000;

/** `retentionDays` null keeps everything. `pause` runs between two steps, so that awards take precedence. */
export function makeApplyRetention(deps: {
  batches: Pick<BatchStore, "deleteDetails">;
  retentionDays: number | null;
  /** The event that is logged when something was deleted. */
  event: "batch.retention" | "reversal.retention" | "event.retention" | "board.retention";
  pause: (stopping: AbortSignal) => Promise<void>;
  log: Log;
}): ApplyRetention {
  const { batches, retentionDays, event, log } = deps;

  return async function applyRetention(stopping) {
    if (retentionDays === null) return 0;
    const doneForMs = retentionDays * DAY_MS;
    let total = 0;
    for (let changed = RETENTION_PAGE; changed === RETENTION_PAGE && !stopping.aborted;) {
      changed = await batches.deleteDetails({ doneForMs, limit: RETENTION_PAGE });
      total += changed;
      if (changed === RETENTION_PAGE) await deps.pause(stopping);
    }
    if (total > 0) log.info({ records: total, retentionDays }, event);
    return total;
  };
}
