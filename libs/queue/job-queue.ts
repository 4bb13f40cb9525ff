// The producer's side of the queue: one job per batch and per reversal, with the same id, which is all that it
// contains.
import { Queue, type Telemetry } from "bullmq";
import type { Redis } from "ioredis";
import { ADD_MS, ATTEMPTS_MAX, EVENTS_MAX, JOB_NAME, QUEUE_NAME, REVERSAL_JOB_NAME } from "#queue/bounds.ts";
import { makeEnsureJob, type AddJob } from "#queue/ensure-job.ts";
import { countWorkers, inspectJob } from "#queue/inspect-jobs.ts";
import { openTurns } from "#queue/turns.ts";
import type { BatchToRun, JobFacts, JobQueue } from "#batches/ports.ts";
import type { Log } from "#kernel/log.ts";
import { withTimeout } from "#async/with-timeout.ts";

export type QueueStatus = {
  paused: boolean;
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  completed: number;
};

export type JobQueueControl = JobQueue & {
  /** The same for reversals: the id of a reversal takes the place of a batch's. */
  reversals: JobQueue;
  status(): Promise<QueueStatus>;
  /** The state of the jobs of these batches and reversals, in the same order. */
  inspect(ids: readonly string[]): Promise<JobFacts[]>;
  /** Connected worker processes; null if Redis does not report them. */
  countWorkers(): Promise<number | null>;
  isPaused(): Promise<boolean>;
  /** Workers finish what they run and start nothing new until the queue is resumed. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
};

/** `redis` must fail fast. A job with a known id is not added again: BullMQ ignores it silently. */
export function makeJobQueue(deps: {
  redis: Redis;
  namespace: string;
  tracing?: Telemetry | undefined;
  log: Log;
}): JobQueueControl {
  const { redis, namespace, tracing, log } = deps;
  const queue = new Queue(QUEUE_NAME, {
    connection: redis,
    prefix: namespace,
    ...(tracing ? { telemetry: tracing } : {}),
    // Fail immediately instead of waiting for an unreachable Redis: the recovery scan adds the job later.
    skipWaitingForReady: true,
    // BullMQ's INFO at construction would fail permanently while Redis is not connected; `clanxp doctor` checks the
    // version.
    skipVersionCheck: true,
    streams: { events: { maxLen: EVENTS_MAX } },
    defaultJobOptions: {
      attempts: ATTEMPTS_MAX,
      backoff: { type: "custom" },
    },
  });
  queue.on("error", (error) => log.debug({ err: error }, "queue.error"));

  const turns = openTurns({ redis, namespace });
  const ensureJob = makeEnsureJob({ queue, redis });

  async function addBatch(batch: BatchToRun): Promise<void> {
    const { batchId } = batch;
    await queue.add(JOB_NAME, { batchId }, { jobId: batchId, priority: await turns.take(batch) });
  }
  async function addReversal(reversal: BatchToRun): Promise<void> {
    const { batchId: reversalId } = reversal;
    await queue.add(REVERSAL_JOB_NAME, { reversalId }, { jobId: reversalId, priority: await turns.take(reversal) });
  }

  const jobsOf = (addJob: AddJob): JobQueue => ({
    // A command that Redis does not answer must not block its caller; it does no harm if it succeeds later.
    add: (batch) => withTimeout(addJob(batch), ADD_MS, "Redis has not answered"),
    // Not each state individually: BullMQ would walk the whole list for every job.
    listQueued: async () => new Set(await queue.getRanges(["prioritized", "wait", "active"], 0, -1)),
    async ensure(batches) {
      const revived = await Promise.all(batches.map((batch) => ensureJob(batch, addJob)));
      return revived.filter(Boolean).length;
    },
  });

  return {
    ...jobsOf(addBatch),
    reversals: jobsOf(addReversal),
    async status() {
      const [paused, counts] = await Promise.all([
        queue.isPaused(),
        queue.getJobCounts("prioritized", "wait", "active", "delayed", "failed", "completed"),
      ]);
      const { prioritized = 0, wait = 0, active = 0, delayed = 0, failed = 0, completed = 0 } = counts;
      return { paused, waiting: prioritized + wait, active, delayed, failed, completed };
    },
    inspect: (ids) => Promise.all(ids.map((id) => inspectJob(queue, id))),
    countWorkers: () => countWorkers(queue),
    isPaused: () => queue.isPaused(),
    pause: () => queue.pause(),
    resume: () => queue.resume(),
    async close() {
      await queue.close().catch(() => {});
    },
  };
}
