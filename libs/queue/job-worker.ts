// The worker's side of the queue: takes jobs, passes their batch or reversal to the processor, and lets BullMQ retry
// failures.
import { DelayedError, WaitingError, Worker, type Job, type Telemetry } from "bullmq";
import type { Redis } from "ioredis";
import { BatchJob, ReversalJob } from "#contract/jobs.ts";
import {
  AWARDS_PER_TURN,
  BACKOFF_MAX_MS,
  BACKOFF_MS,
  BATCHES_AT_ONCE,
  COMPLETED_RETENTION,
  FAILED_RETENTION,
  JOB_LOCK_MS,
  QUEUE_NAME,
  REVERSAL_JOB_NAME,
  REVERSAL_LATER_MS,
  RUN_RETRY_MS,
  STALLED_CHECK_MS,
  STALLED_COUNT_MAX,
} from "#queue/bounds.ts";
import { closeInTime } from "#queue/close-in-time.ts";
import { restWhileRejected } from "#queue/rest-while-rejected.ts";
import { openTurns, type Turns } from "#queue/turns.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import type { RunReversal } from "#reversals/run-reversal.ts";

export type BatchProcessor<Aggregate> = (batchId: string) => Promise<Aggregate>;

/**
 * Takes jobs once `ready` resolves: a job that is taken before its batch can be read fails, and is queued after all
 * others. `redis` must retry patiently. `close` waits for the batches in progress while Redis is available.
 */
export function startJobWorker<Aggregate>(deps: {
  redis: Redis;
  namespace: string;
  process: BatchProcessor<Aggregate>;
  reverse: RunReversal;
  ready: Promise<unknown>;
  /** Throws while Redis cannot do its work. */
  checkRedis: () => Promise<void>;
  tracing?: Telemetry | undefined;
  clock: Clock;
  log: Log;
}): { close(): Promise<void> } {
  const { log } = deps;
  const turns = openTurns(deps);
  async function run(job: Job, token?: string): Promise<Aggregate | void> {
    turns.noteServed(job.priority).catch((error: unknown) => log.debug({ err: error }, "turn.write_failed"));
    if (job.name === REVERSAL_JOB_NAME) return runReversal(deps.reverse, { job, token, turns });
    return deps.process(BatchJob.parse(job.data).batchId);
  }
  const worker = new Worker(QUEUE_NAME, run, {
    connection: deps.redis,
    prefix: deps.namespace,
    ...(deps.tracing ? { telemetry: deps.tracing } : {}),
    autorun: false,
    concurrency: BATCHES_AT_ONCE,
    lockDuration: JOB_LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: STALLED_COUNT_MAX,
    runRetryDelay: RUN_RETRY_MS,
    // Set here and not with each job, where it would take a tenth of the job's memory.
    removeOnComplete: COMPLETED_RETENTION,
    removeOnFail: FAILED_RETENTION,
    settings: { backoffStrategy: (attempts) => Math.min(BACKOFF_MS * 2 ** Math.min(attempts, 10), BACKOFF_MAX_MS) },
  });
  worker.on("error", (error) => log.debug({ err: error }, "worker.error"));
  worker.on("stalled", (jobId) => log.warn({ batchId: jobId }, "batch.stalled"));
  worker.on("failed", (job, error) =>
    log.warn({ batchId: job?.id, attempts: job?.attemptsMade, err: error }, "batch.attempt_failed"),
  );
  const endRest = restWhileRejected(worker, { check: deps.checkRedis, clock: deps.clock, log });
  let closed = false;
  // The caller, who passed `ready`, reports why it never resolves.
  void deps.ready
    .then(() => (closed ? undefined : worker.run()))
    .catch((error: unknown) => log.debug({ err: error }, "worker.run_failed"));
  return {
    close() {
      closed = true;
      endRest();
      return closeInTime(deps.redis, (force) => worker.close(force));
    },
  };
}

/** A reversal that is not done when its turn is over continues after the jobs that wait. */
async function runReversal(
  reverse: RunReversal,
  { job, token, turns }: { job: Job; token: string | undefined; turns: Turns },
): Promise<void> {
  const { reversalId } = ReversalJob.parse(job.data);
  const turn = await reverse(reversalId);
  if (turn.kind === "again") {
    const priority = await turns.take({ batchId: reversalId, clanId: turn.clanId, awards: AWARDS_PER_TURN });
    await job.changePriority({ priority });
    await job.moveToWait(token);
    throw new WaitingError();
  }
  if (turn.kind === "later") {
    await job.moveToDelayed(Date.now() + REVERSAL_LATER_MS, token);
    throw new DelayedError();
  }
}
