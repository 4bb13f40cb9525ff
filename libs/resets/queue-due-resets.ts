// Queues the resets whose time has come. A job that Redis does not take is queued by the recovery scan.
import type { JobQueue } from "#batches/ports.ts";
import type { ResetStore } from "#resets/ports.ts";
import type { Log } from "#kernel/log.ts";

/** Throws AppError `unavailable`; then run it again later. */
export type QueueDueResets = () => Promise<void>;

export function makeQueueDueResets(deps: {
  resets: Pick<ResetStore, "queueDue">;
  queue: Pick<JobQueue, "add">;
  log: Log;
}): QueueDueResets {
  return async function queueDueResets() {
    for (const due of await deps.resets.queueDue()) {
      await deps.queue.add(due).catch((error: unknown) => {
        deps.log.warn({ resetId: due.batchId, err: error }, "reset.enqueue_failed");
      });
    }
  };
}
