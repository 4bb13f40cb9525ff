// The worker's side of the queue: takes jobs, hands their batch to the processor, lets BullMQ try again what failed.
import { Worker, type Job, type Telemetry } from "bullmq";
import type { Redis } from "ioredis";
import { BatchJob } from "#contract/batch-job.ts";
import {
  BACKOFF_MAX_MS,
  BACKOFF_MS,
  BATCHES_AT_ONCE,
  JOB_LOCK_MS,
  QUEUE_NAME,
  STALLED_CHECK_MS,
  STALLED_COUNT_MAX,
} from "#queue/bounds.ts";
import { closeInTime } from "#queue/close-in-time.ts";
import { openTurns } from "#queue/turns.ts";
import type { Log } from "#usecases/ports.ts";

export type BatchProcessor<Aggregate> = (batchId: string) => Promise<Aggregate>;

/**
 * Takes jobs once `ready` resolves: a job that is taken before its batch can be read fails, and comes back behind all others. `redis`
 * must be patient. `close` waits for the batches under way, while Redis is there. */
export function startBatchWorker<Aggregate>(world: {
  redis: Redis;
  namespace: string;
  process: BatchProcessor<Aggregate>;
  ready: Promise<unknown>;
  tracing?: Telemetry | undefined;
  log: Log;
}): { close(): Promise<void> } {
  const { log } = world;
  const turns = openTurns(world);
  async function run({ data, priority }: Job): Promise<Aggregate> {
    turns.noteServed(priority).catch((error: unknown) => log.debug({ err: error }, "turn.write_failed"));
    return world.process(BatchJob.parse(data).batchId);
  }
  const worker = new Worker(QUEUE_NAME, run, {
    connection: world.redis,
    prefix: world.namespace,
    ...(world.tracing ? { telemetry: world.tracing } : {}),
    autorun: false,
    concurrency: BATCHES_AT_ONCE,
    lockDuration: JOB_LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: STALLED_COUNT_MAX,
    settings: { backoffStrategy: (attempts) => Math.min(BACKOFF_MS * 2 ** Math.min(attempts, 10), BACKOFF_MAX_MS) },
  });
  worker.on("error", (error) => log.debug({ err: error }, "worker.error"));
  worker.on("stalled", (jobId) => log.warn({ batchId: jobId }, "batch.stalled"));
  worker.on("failed", (job, error) => log.warn({ batchId: job?.id, attempts: job?.attemptsMade, err: error }, "batch.attempt_failed"));
  let closed = false;
  // Whoever starts the process hears why it is never ready.
  void world.ready
    .then(() => (closed ? undefined : worker.run()))
    .catch((error: unknown) => log.debug({ err: error }, "worker.run_failed"));
  return {
    close() {
      closed = true;
      return closeInTime(world.redis, (force) => worker.close(force));
    },
  };
}
