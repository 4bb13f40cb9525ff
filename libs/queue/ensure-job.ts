// The recovery scan's side of the queue: a batch or reversal that is unfinished gets a job, if no job will run it.
import type { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { BACKOFF_MAX_MS } from "#queue/bounds.ts";
import type { BatchToRun } from "#usecases/batches/ports.ts";

export type AddJob = (batch: BatchToRun) => Promise<void>;
/** True when it had no job that will run it. */
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
      // The record was lost to a failover after its job had ended, or Redis lost the job's place but not the job: it
      // must not stand in the way of the next one.
      await job.remove();
      await addJob(batch);
      return true;
    }
    // Put off by a worker whose clock was ahead, it would wait for as long as that was.
    if (state === "delayed" && (job.processedOn ?? 0) + job.delay > (await redisNowMs()) + BACKOFF_MAX_MS) {
      await job.promote();
      return true;
    }
    return false;
  };

  async function redisNowMs(): Promise<number> {
    return Number((await redis.time())[0]) * 1_000;
  }
}
