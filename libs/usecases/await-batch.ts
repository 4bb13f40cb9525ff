// Waits for a batch's result, bounded. The record is the truth: a signal only says that it is worth reading.
import type { Batch } from "#usecases/batch.ts";
import { BATCH_POLL_MS, BATCHES_AWAITED_MAX } from "#usecases/bounds.ts";
import type { BatchSignal, BatchStore, Clock } from "#usecases/ports.ts";

/** The batch when done, else its present record after `waitMs`. Throws AppError `unavailable`. */
export type AwaitBatch = (batch: Batch, waitMs: number) => Promise<Batch>;

export function makeAwaitBatch(world: {
  batches: Pick<BatchStore, "read">;
  signal: BatchSignal;
  clock: Clock;
  /** Once aborted nobody waits any longer: the process is about to end. */
  stopping: AbortSignal;
}): AwaitBatch {
  let awaited = 0;

  return async function awaitBatch(batch, waitMs) {
    // The batch is accepted: who cannot be kept waiting is told where to ask for it.
    if (batch.state === "done" || waitMs === 0 || awaited >= BATCHES_AWAITED_MAX) return batch;
    awaited += 1;
    try {
      return await pollUntilDone(batch, waitMs);
    } finally {
      awaited -= 1;
    }
  };

  async function pollUntilDone(batch: Batch, waitMs: number): Promise<Batch> {
    const endMs = world.clock.monotonicMs() + waitMs;
    let latest = batch;
    for (let polls = 0; ; polls += 1) {
      const leftMs = endMs - world.clock.monotonicMs();
      if (leftMs <= 0 || world.stopping.aborted) return latest;
      const pollMs = BATCH_POLL_MS[Math.min(polls, BATCH_POLL_MS.length - 1)] ?? leftMs;
      await world.signal.wait(batch.batchId, Math.min(pollMs, leftMs));
      latest = (await world.batches.read(batch.batchId)) ?? latest;
      if (latest.state === "done") return latest;
    }
  }
}
