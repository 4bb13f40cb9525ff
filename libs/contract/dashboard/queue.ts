// The queue, for operators: accepted and unfinished work, its jobs, the workers, and how far the lists of members are
// behind.
import { z } from "zod";
import { ReversalState } from "#contract/reversal.ts";
import { Done, endpoint, NoBody, NoParams, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant } from "#contract/text.ts";

/** `workers` null: this Redis does not list its clients. */
const JobCounts = z.strictObject({
  paused: z.boolean(),
  waiting: z.int(),
  active: z.int(),
  delayed: z.int(),
  failed: z.int(),
  workers: z.int().nullable(),
});

const jobStates = ["waiting", "active", "delayed", "failed", "missing"] as const;

/** `delayed`: it failed and will be retried. `missing`: Redis has lost it, and the recovery scan queues it again. */
const Job = z.strictObject({ state: z.enum(jobStates), attempts: z.int(), error: z.string().nullable() });

/**
 * A batch, a reversal or a reset that is accepted and not done. `awards` null: not known. `job` null: Redis does not
 * respond.
 */
export const QueuedWork = z.strictObject({
  id: z.string(),
  kind: z.enum(["batch", "reversal", "reset"]),
  clanId: z.string(),
  status: ReversalState.shape.status,
  awards: z.int().nullable(),
  createdAt: Instant,
  job: Job.nullable(),
});
export type QueuedWork = z.infer<typeof QueuedWork>;

export const QueueFacts = z.strictObject({
  batches: z.strictObject({ queued: z.int(), running: z.int(), awards: z.int(), oldestAt: Instant.nullable() }),
  reversals: z.int(),
  /** Null if Redis does not respond. */
  jobs: JobCounts.nullable(),
  /** Processes that commit awards, and the largest of their lags; null if there is no such process. */
  projection: z.strictObject({ processes: z.int(), lagMs: z.int().nullable() }),
  /** The oldest of each kind; `isWhole` is false if there are more. */
  work: z.array(QueuedWork),
  isWhole: z.boolean(),
});
export type QueueFacts = z.infer<typeof QueueFacts>;

const base = { access: "operator", params: NoParams, query: NoQuery } as const;
export const queueEndpoints = {
  "read-queue": endpoint({ ...base, method: "GET", path: "/api/queue", body: NoBody, response: QueueFacts }),
  "pause-queue": endpoint({
    ...base,
    method: "PUT",
    path: "/api/queue/paused",
    body: z.strictObject({ paused: z.boolean() }),
    response: Done,
  }),
  /** Queues every unfinished batch and reversal that has no job, or whose job failed. */
  "retry-queue": endpoint({
    ...base,
    method: "POST",
    path: "/api/queue/retry",
    body: NoBody,
    response: z.strictObject({ unfinished: z.int(), revived: z.int() }),
  }),
};
