// Cancels batches: applied awards stay, the others are rejected as `cancelled`. Requires MongoDB only, and is
// idempotent.
//
// A batch that no worker has begun is done immediately. Otherwise the record is only marked: the worker's next run
// rejects the awards that are not applied, and the ledger decides between that run and any other (run-batch).
import { chunks } from "#async/chunks.ts";
import type { Actor } from "#domain/audit.ts";
import { CANCEL_PAGE, CANCEL_POLL_MS } from "#batches/bounds.ts";
import type { BatchStore, BatchCounts } from "#batches/ports.ts";
import type { Clock } from "#kernel/clock.ts";

/**
 * Cancels the batches that `list` returns, repeats this until it returns no new ones, and waits up to `waitMs` for the
 * workers. Returns the outcome for all of them. Throws AppError `outcome_unknown` or `unavailable`; then call it again.
 */
export type CancelBatches = (options: {
  list: () => Promise<readonly string[]>;
  waitMs: number;
  by: Actor;
}) => Promise<BatchCounts>;

export function makeCancelBatches(deps: {
  batches: Pick<BatchStore, "cancel" | "readUnfinished" | "countAwards">;
  clock: Clock;
  pause: (ms: number) => Promise<void>;
}): CancelBatches {
  const { batches, clock } = deps;

  return async function cancelBatches({ list, waitMs, by }) {
    const cancelled = new Set<string>();
    for (;;) {
      const found = (await list()).filter((batchId) => !cancelled.has(batchId));
      if (found.length === 0) break;
      for (const page of chunks(found, CANCEL_PAGE)) await batches.cancel(page, by);
      for (const batchId of found) cancelled.add(batchId);
    }
    const all = [...cancelled];
    const endMs = clock.monotonicMs() + waitMs;
    while ((await batches.readUnfinished(all)).size > 0 && clock.monotonicMs() < endMs)
      await deps.pause(CANCEL_POLL_MS);

    const total: BatchCounts = { unfinished: 0, done: 0, applied: 0, cancelled: 0 };
    for (const page of chunks(all, CANCEL_PAGE)) {
      const part = await batches.countAwards(page);
      for (const count of ["unfinished", "done", "applied", "cancelled"] as const) total[count] += part[count];
    }
    return total;
  };
}
