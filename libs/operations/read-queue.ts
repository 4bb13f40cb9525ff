// The queue as operators see it: the records that are accepted and not done, which are authoritative, and their jobs in
// Redis.
import type { BatchState } from "#domain/batch.ts";
import { isReset, type Correction } from "#domain/reset.ts";
import { QUEUED_WORK_SHOWN_MAX } from "#operations/bounds.ts";
import type { BatchStore, JobFacts, QueueDepth } from "#batches/ports.ts";
import type { ProjectionLag, ReadProjectionLag } from "#operations/read-projection-lag.ts";

/** A batch, a reversal or a reset that is not done. `awards` null: not known. `job` null: Redis does not respond. */
export type QueuedWork = {
  id: string;
  kind: "batch" | "reversal" | "reset";
  clanId: string;
  state: BatchState;
  awards: number | null;
  createdAt: Date;
  job: JobFacts | null;
};
type JobCounts = { paused: boolean; waiting: number; active: number; delayed: number; failed: number };
type QueueView = {
  batches: QueueDepth;
  reversals: number;
  /** Null if Redis does not respond. */
  jobs: (JobCounts & { workers: number | null }) | null;
  projection: ProjectionLag;
  /** The oldest of each kind. `isWhole` is false if there are more. */
  work: QueuedWork[];
  isWhole: boolean;
};

/** Throws AppError `unavailable` if MongoDB does not respond. */
export type ReadQueue = () => Promise<QueueView>;

type Recorded = Omit<QueuedWork, "job">;

export function makeReadQueue(deps: {
  batches: Pick<BatchStore, "queueDepth" | "listUnfinished" | "readFacts" | "readUnfinished">;
  reversals: {
    listUnfinished: BatchStore["listUnfinished"];
    countUnfinished(): Promise<{ all: number }>;
    readRun(reversalId: string): Promise<Correction | null>;
  };
  queue: {
    status(): Promise<JobCounts>;
    inspect(ids: readonly string[]): Promise<JobFacts[]>;
    countWorkers(): Promise<number | null>;
  };
  readProjectionLag: ReadProjectionLag;
}): ReadQueue {
  const { batches, reversals, queue } = deps;
  const page = { limit: QUEUED_WORK_SHOWN_MAX, afterId: null };

  async function unfinishedBatches(): Promise<Recorded[]> {
    const ids = await batches.listUnfinished(page);
    const [facts, states] = await Promise.all([batches.readFacts(ids), batches.readUnfinished(ids)]);
    return facts.flatMap(({ batchId, clanId, awards, createdAt }): Recorded[] => {
      const state = states.get(batchId);
      return state ? [{ id: batchId, kind: "batch", clanId, state, awards, createdAt }] : [];
    });
  }

  async function unfinishedReversals(): Promise<Recorded[]> {
    const found = await Promise.all((await reversals.listUnfinished(page)).map(reversals.readRun));
    return found.flatMap((reversal): Recorded[] => {
      if (reversal?.state !== "queued" && reversal?.state !== "running") return [];
      const { reversalId, clanId, state, createdAt } = reversal;
      const kind = isReset(reversal) ? "reset" : "reversal";
      return [{ id: reversalId, kind, clanId, state, awards: null, createdAt }];
    });
  }

  /** Without Redis the records are still shown. */
  async function jobsOf(ids: readonly string[]): Promise<{ jobs: QueueView["jobs"]; jobFacts: (JobFacts | null)[] }> {
    try {
      const [counts, workers, jobFacts] = await Promise.all([queue.status(), queue.countWorkers(), queue.inspect(ids)]);
      return { jobs: { ...counts, workers }, jobFacts };
    } catch {
      return { jobs: null, jobFacts: ids.map(() => null) };
    }
  }

  return async function readQueue() {
    const [depth, { all }, projection, ofBatches, ofReversals] = await Promise.all([
      batches.queueDepth(),
      reversals.countUnfinished(),
      deps.readProjectionLag(),
      unfinishedBatches(),
      unfinishedReversals(),
    ]);
    const recorded = [...ofReversals, ...ofBatches];
    const { jobs, jobFacts } = await jobsOf(recorded.map(({ id }) => id));
    return {
      batches: depth,
      reversals: all,
      jobs,
      projection,
      work: recorded.map((one, index) => ({ ...one, job: jobFacts[index] ?? null })),
      isWhole: [ofBatches, ofReversals].every((list) => list.length < QUEUED_WORK_SHOWN_MAX),
    };
  };
}
