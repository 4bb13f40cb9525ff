// The recovery scan's side of the queue: ensures that an unfinished batch or reversal has a job that will run.
import type { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { BACKOFF_MAX_MS } from "#queue/bounds.ts";
import { serverTimeMs } from "#redis/server-time.ts";
import type { BatchToRun } from "#batches/ports.ts";

export type AddJob = (batch: BatchToRun) => Promise<void>;
/** True if it had no job that will run. */
type EnsureJob = (batch: BatchToRun, addJob: AddJob) => Promise<boolean>;

export function makeEnsureJob({ queue, redis }: { queue: Queue; redis: Redis }): EnsureJob {
  return async function ensureJob(batch, addJob) {
    const job = await queue.getJob(batch.batchId);
    if (!job) {
      await addJob(batch);
      return true;
    }
    const state = await job.getState();
    if (state === "failed") {
      await job.retry();
      return true;
    }
    if (state === "completed" || state === "unknown") {
      // The record was lost in a failover after its job had ended, or Redis lost the job's place but not the job: the
      // old job must not block a new one.
      await job.remove();
      await addJob(batch);
      return true;
    }
    // A worker whose clock was ahead delayed it; it would wait for as long as that clock was ahead.
    if (
      state === "delayed" &&
      (job.processedOn ?? 0) + job.delay > (await serverTimeMs(redis, queue.toKey("meta"))) + BACKOFF_MAX_MS
    ) {
      await job.promote();
      return true;
    }
    return false;
  };
}
