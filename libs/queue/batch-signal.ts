// Notifies waiting callers that a job ended, with one event stream and one map of callers per process. A lost event
// delays its caller until the next poll.
//
// job.waitUntilFinished would open one stream per caller, and with removeOnComplete it rejects jobs that succeeded.
import { QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import { QUEUE_NAME, SIGNALS_STORED_MAX } from "#queue/bounds.ts";
import { closeInTime } from "#queue/close-in-time.ts";
import type { BatchSignal } from "#batches/ports.ts";
import type { Log } from "#kernel/log.ts";

export type BatchSignalControl = { /** Ends every wait now. */ wakeAll(): void; close(): Promise<void> };

/** `redis` must retry patiently. */
export function makeBatchSignal({
  redis,
  namespace,
  log,
}: {
  redis: Redis;
  namespace: string;
  log: Log;
}): BatchSignal & BatchSignalControl {
  const waiters = new Map<string, Set<(isEnded: boolean) => void>>();
  // Jobs that ended before their caller began to wait; the oldest are dropped first.
  const ended = new Set<string>();

  const events = new QueueEvents(QUEUE_NAME, { connection: redis, prefix: namespace });
  events.on("error", (error) => log.debug({ err: error }, "queue_events.error"));
  events.on("completed", ({ jobId }) => {
    const waiting = waiters.get(jobId);
    if (waiting) for (const settle of waiting) settle(true);
    else recordEnded(jobId);
  });

  function recordEnded(jobId: string): void {
    ended.add(jobId);
    if (ended.size <= SIGNALS_STORED_MAX) return;
    for (const oldest of ended) {
      ended.delete(oldest);
      return;
    }
  }

  return {
    wait(batchId, timeoutMs) {
      if (ended.delete(batchId)) return Promise.resolve(true);
      return new Promise((resolve) => {
        const waiting = waiters.get(batchId) ?? new Set();
        waiters.set(batchId, waiting);
        const settle = (isEnded: boolean): void => {
          clearTimeout(timer);
          waiting.delete(settle);
          if (waiting.size === 0) waiters.delete(batchId);
          resolve(isEnded);
        };
        const timer = setTimeout(settle, timeoutMs, false);
        waiting.add(settle);
      });
    },
    wakeAll() {
      for (const waiting of waiters.values()) for (const settle of waiting) settle(false);
    },
    close: () => closeInTime(redis, () => events.close()),
  };
}
