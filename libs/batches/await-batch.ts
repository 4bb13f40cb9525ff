// Waits for a batch's result, for a bounded time. The record determines the result; a signal only indicates when to
// read it.
import type { Batch } from "#domain/batch.ts";
import { BATCH_LAST_READ_MS, BATCH_POLL_MS } from "#batches/bounds.ts";
import { coalesceReads } from "#async/coalesce-reads.ts";
import type { BatchSignal, BatchStore } from "#batches/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import { withTimeout } from "#async/with-timeout.ts";

/**
 * The batch when it is done; otherwise, after `waitMs`, what is known of it. Never throws: the batch is accepted, and a
 * caller who received an error would send it again.
 */
export type AwaitBatch = (batch: Batch, waitMs: number) => Promise<Batch>;

export function makeAwaitBatch(deps: {
  batches: Pick<BatchStore, "read" | "readUnfinished">;
  signal: BatchSignal;
  clock: Clock;
  log: Log;
  /** How many callers may wait at the same time. */
  awaitedMax: number;
  /** Once it is aborted, no caller waits any longer: the process is about to exit. */
  stopping: AbortSignal;
}): AwaitBatch {
  const { batches, signal, clock, log, awaitedMax, stopping } = deps;
  let awaited = 0;
  const readState = coalesceReads({
    read: batches.readUnfinished,
    idsPerReadMax: awaitedMax,
    waitingMax: awaitedMax,
  });

  return async function awaitBatch(batch, waitMs) {
    // A caller who cannot wait receives the URL of the result.
    if (batch.state === "done" || waitMs === 0 || awaited >= awaitedMax) return batch;
    awaited += 1;
    try {
      return await pollUntilDone(batch, waitMs);
    } finally {
      awaited -= 1;
    }
  };

  async function pollUntilDone(batch: Batch, waitMs: number): Promise<Batch> {
    const endMs = clock.monotonicMs() + waitMs;
    let latest = batch;
    let fault: unknown = null;
    for (
      let leftMs = waitMs;
      leftMs > 0 && latest.state !== "done" && !stopping.aborted;
      leftMs = endMs - clock.monotonicMs()
    ) {
      // All polls happen at the same moments, so that one read serves every caller.
      const pollMs = BATCH_POLL_MS - (clock.monotonicMs() % BATCH_POLL_MS);
      const mayBeDone = await signal.wait(batch.batchId, Math.min(pollMs, leftMs));
      try {
        const readTimeoutMs = Math.max(endMs - clock.monotonicMs(), 0) + BATCH_LAST_READ_MS;
        latest = await withTimeout(readLatest(latest, mayBeDone), readTimeoutMs, "The batch could not be read");
        fault = null;
      } catch (error) {
        fault = error;
      }
    }
    if (fault) log.debug({ batchId: batch.batchId, err: fault }, "batch.read_failed");
    return latest;
  }

  /** The current state of the batch. Its record, which may be large, is read only once it is done. */
  async function readLatest(latest: Batch, mayBeDone: boolean): Promise<Batch> {
    const unfinished = mayBeDone ? undefined : await readState(latest.batchId);
    if (unfinished) return { ...latest, state: unfinished };
    return (await batches.read(latest.batchId)) ?? latest;
  }
}
