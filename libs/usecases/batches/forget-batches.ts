// Deletes what batches or reversals that were done long ago need no longer, a bounded number at a time. What a retry
// needs stays: the id, the state, and the idempotency key with its fingerprint; of a batch also how many awards were
// applied (docs/decisions/0029).
//
// Safe to stop anywhere and to run in several workers at once: each step is one write to records that still have the
// rest.
import { FORGET_PAGE } from "#usecases/bounds.ts";
import type { BatchStore } from "#usecases/batches/ports.ts";
import type { Clock, Log } from "#usecases/ports.ts";

/**
 * Returns how many records it dealt with: fewer where `stopping` is aborted meanwhile. Throws AppError `unavailable`:
 * run it again.
 */
export type ForgetBatches = (stopping: AbortSignal) => Promise<number>;

const DAY_MS = 86_400_000;

/** `retentionDays` null: everything is kept. `pause`: between two steps, so that awards come first. */
export function makeForgetBatches(world: {
  batches: Pick<BatchStore, "forgetDone">;
  retentionDays: number | null;
  /** What the log says when something was deleted. */
  event: "batch.retention" | "reversal.retention";
  clock: Clock;
  pause: (stopping: AbortSignal) => Promise<void>;
  log: Log;
}): ForgetBatches {
  const { batches, retentionDays, event, clock, log } = world;

  return async function forgetBatches(stopping) {
    if (retentionDays === null) return 0;
    const before = new Date(clock.now().getTime() - retentionDays * DAY_MS);
    let total = 0;
    for (let forgotten = FORGET_PAGE; forgotten === FORGET_PAGE && !stopping.aborted;) {
      forgotten = await batches.forgetDone({ before, limit: FORGET_PAGE });
      total += forgotten;
      if (forgotten === FORGET_PAGE) await world.pause(stopping);
    }
    if (total > 0) log.info({ records: total, before }, event);
    return total;
  };
}
