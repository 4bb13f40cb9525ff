// The queue, by the same use cases as `clanxp queue`.
import type { QueuedWork, queueEndpoints } from "#contract/dashboard/queue.ts";
import { AppError } from "#kernel/app-error.ts";
import type { RecoverBatches } from "#batches/recover-batches.ts";
import type { PauseQueue } from "#operations/pause-queue.ts";
import type { QueuedWork as Work, ReadQueue } from "#operations/read-queue.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import type { Routes } from "../http/route.ts";

export function makeQueueRoutes(deps: {
  readQueue: ReadQueue;
  pauseQueue: PauseQueue;
  recoverBatches: RecoverBatches;
  recoverReversals: RecoverBatches;
}): Routes<typeof queueEndpoints> {
  return {
    async "read-queue"() {
      const { batches, work, ...rest } = await deps.readQueue();
      const { queued, running, awards, oldestCreatedAt } = batches;
      return {
        ...rest,
        batches: { queued, running, awards, oldestAt: oldestCreatedAt?.toISOString() ?? null },
        work: work.map(workOf),
      };
    },

    async "pause-queue"({ body: { paused }, by }) {
      await orUnreachable(() => deps.pauseQueue(paused, by));
      return { done: true };
    },

    async "retry-queue"() {
      const reports = await orUnreachable(() =>
        Promise.all([deps.recoverBatches({ ageMs: 0 }), deps.recoverReversals({ ageMs: 0 })]),
      );
      const sum = (count: "unfinished" | "revived"): number =>
        reports.reduce((total, report) => total + report[count], 0);
      return { unfinished: sum("unfinished"), revived: sum("revived") };
    },
  };
}

function workOf({ state, createdAt, ...work }: Work): QueuedWork {
  return { ...work, status: state, createdAt: createdAt.toISOString() };
}

/** Any error except an AppError is one of Redis. */
async function orUnreachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const detail = "Redis did not confirm the operation. Look at the state of the queue, then try again.";
    throw new DashboardError("unavailable", detail, { cause: error });
  }
}
