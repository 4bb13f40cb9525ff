// What the use cases of the batch path need from the store and the queue, as types (see ports.ts).
import type { Actor } from "#domain/audit.ts";
import type { Batch, BatchOutcome, BatchState } from "#domain/batch.ts";
import type { Page } from "#domain/page.ts";

export type BatchStore = {
  /** `bound`: the idempotency key already names this batch, and nothing was written. */
  insert(batch: Batch): Promise<{ kind: "inserted" } | { kind: "bound"; batch: Batch }>;
  read(batchId: string): Promise<Batch | null>;
  /** The clan's batches without their awards, newest first. Only records that no failover can roll back. */
  listOfClan(
    clanId: string,
    page: { limit: number; after: BatchPosition | null },
  ): Promise<Page<ListedBatch, BatchPosition>>;
  /** The batch that the clan's idempotency key names. */
  findByKey(key: Pick<Batch, "clanId" | "idempotencyKey">): Promise<Batch | null>;
  /** The states of those that are not done, read from an index alone. */
  readUnfinished(batchIds: readonly string[]): Promise<ReadonlyMap<string, BatchState>>;
  /**
   * Records that a batch is running since `at`, unless it has run before, and returns its record. No failover undoes
   * the state of a returned record.
   */
  start(batchId: string, at: Date): Promise<Batch | null>;
  /**
   * Writes the outcomes once, with the time by MongoDB's clock: an earlier `done` is not overwritten. False if there is
   * no such record.
   */
  finish(batchId: string, outcomes: readonly BatchOutcome[]): Promise<boolean>;
  /**
   * Rejects every award that is not applied, in those of these batches that are not done: immediately if no worker has
   * begun the batch, otherwise in its next run. Each batch leaves its audit record. Throws AppError `outcome_unknown`
   * if it is not known whether the change was made.
   */
  cancel(batchIds: readonly string[], by: Actor): Promise<void>;
  /**
   * Deletes awards and outcomes of at most `limit` batches that have been done for this long, the oldest first, and
   * returns how many. The number of applied awards stays. Only MongoDB's clock decides. Throws AppError `unavailable`.
   */
  deleteDetails(options: { olderThanMs: number; limit: number }): Promise<number>;
  /** The state of these batches, and the outcomes of their awards. */
  countAwards(batchIds: readonly string[]): Promise<BatchCounts>;
  /** Ids of the batches not done that an API key sent, oldest first. */
  listUnfinishedOfKey(key: { clanId: string; keyId: string }): Promise<string[]>;
  /**
   * Ids of batches not done, in the order of their ids, those after `afterId`. Only records that no failover can roll
   * back.
   */
  listUnfinished(options: { limit: number; afterId: string | null }): Promise<string[]>;
  /**
   * The data of these batches that a job needs, and when they were accepted, by the clock of the process that accepted
   * them.
   */
  readFacts(batchIds: readonly string[]): Promise<AcceptedBatch[]>;
  /** How many batches of each clan are not done. Clans without any are left out. */
  countUnfinished(): Promise<ReadonlyMap<string, number>>;
  /** How many batches are not done, and how long the oldest of them has waited. */
  backlog(): Promise<Backlog>;
  /** The same in more detail, read from indexes alone, because it is requested often. */
  queueDepth(): Promise<QueueDepth>;
};
/** `awards` is null if an older version did not store their number. `applied` is 0 until the batch is done. */
export type ListedBatch = Pick<Batch, "batchId" | "state" | "cancelled" | "createdAt" | "finishedAt"> & {
  awards: number | null;
  applied: number;
};
/** The last batch of a page. */
export type BatchPosition = Pick<Batch, "createdAt" | "batchId">;
export type BatchCounts = { unfinished: number; done: number; applied: number; cancelled: number };
export type Backlog = { unfinished: number; oldestCreatedAt: Date | null };
/** Batches that are not done. `awards`: all awards that they contain. */
export type QueueDepth = { queued: number; running: number; awards: number; oldestCreatedAt: Date | null };

/** A batch as its job is queued: workers take turns between clans, by the number of awards in their batches. */
export type BatchToRun = { batchId: string; clanId: string; awards: number };
export type AcceptedBatch = BatchToRun & { createdAt: Date };

/** Throws if Redis cannot take the job. The batch's record is stored, and the recovery scan queues the job later. */
export type JobQueue = {
  add(batch: BatchToRun): Promise<void>;
  /**
   * Batches whose job waits or runs, all in one reply, since they are many. Jobs that wait for a retry are not
   * included.
   */
  listQueued(): Promise<ReadonlySet<string>>;
  /**
   * Ensures that a job waits or runs for each of these batches, in this order within a clan. Returns how many jobs it
   * had to add or revive.
   */
  ensure(batches: readonly BatchToRun[]): Promise<number>;
};

/** The state of a batch's job. `delayed`: it failed and will be retried. `missing`: no job waits or runs. */
export type JobFacts = {
  state: "waiting" | "active" | "delayed" | "failed" | "missing";
  attempts: number;
  error: string | null;
};

/** Resolves to true if a batch may be done, to false after `timeoutMs`. Only a hint: the record decides. */
export type BatchSignal = { wait(batchId: string, timeoutMs: number): Promise<boolean> };
