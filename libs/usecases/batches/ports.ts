// What the use cases of the batch path need from the store and the queue, as types (see ports.ts).
import type { Actor } from "#domain/audit.ts";
import type { Batch, BatchOutcome, BatchState } from "#domain/batch.ts";
import type { Page } from "#usecases/members/ports.ts";

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
  /** The states of those that are not done, from an index alone. */
  readUnfinished(batchIds: readonly string[]): Promise<ReadonlyMap<string, BatchState>>;
  /**
   * Records that a batch runs since `at`, unless it ran before; returns its record. No failover undoes the state of a
   * record that it returned.
   */
  start(batchId: string, at: Date): Promise<Batch | null>;
  /** Writes the outcomes once: an earlier `done` stays. False when there is no such record. */
  finish(batchId: string, outcomes: readonly BatchOutcome[], at: Date): Promise<boolean>;
  /**
   * Rejects, in those of the batches that are not done, every award that is not applied: at once where no worker has
   * begun, else the next run does. Each of them leaves its audit record. Throws AppError `outcome_unknown` when nobody
   * knows whether it happened.
   */
  cancel(batchIds: readonly string[], at: Date, by: Actor): Promise<void>;
  /**
   * Deletes awards and outcomes of at most `limit` batches that were done before that time, the oldest first; returns
   * of how many. Their number of applied awards stays. Throws AppError `unavailable`.
   */
  forgetDone(options: { before: Date; limit: number }): Promise<number>;
  /** How these batches stand, and what became of their awards. */
  tally(batchIds: readonly string[]): Promise<BatchTally>;
  /** Ids of the batches not done that an API key sent, oldest first. */
  listUnfinishedOfKey(key: { clanId: string; keyId: string }): Promise<string[]>;
  /**
   * Ids of batches not done, in the order of their ids, those after `afterId`. Only records that no failover can roll
   * back.
   */
  listUnfinished(options: { limit: number; afterId: string | null }): Promise<string[]>;
  /**
   * What a job needs to know of these batches, and when they were accepted, by the clock of the process that accepted
   * them.
   */
  readFacts(batchIds: readonly string[]): Promise<(BatchToRun & { createdAt: Date })[]>;
  /** How many batches of each clan are not done. Clans without any are left out. */
  countUnfinished(): Promise<ReadonlyMap<string, number>>;
  /** How many batches are not done, and since when the oldest of them waits. */
  backlog(): Promise<Backlog>;
  /** The same in more detail, from indexes alone: as cheap as it is asked for often. */
  queueDepth(): Promise<QueueDepth>;
};
/** `awards` null: an older version did not store how many there were. `applied`: of a batch that is done; 0 before. */
export type ListedBatch = Pick<Batch, "batchId" | "state" | "cancelled" | "createdAt" | "finishedAt"> & {
  awards: number | null;
  applied: number;
};
/** The last batch of a page. */
export type BatchPosition = Pick<Batch, "createdAt" | "batchId">;
export type BatchTally = { unfinished: number; done: number; applied: number; cancelled: number };
export type Backlog = { unfinished: number; oldestCreatedAt: Date | null };
/** Batches that are not done. `awards`: all that were sent in them. */
export type QueueDepth = { queued: number; running: number; awards: number; oldestCreatedAt: Date | null };

/** A batch as its job is queued: workers take turns between clans, by the awards in their batches. */
export type BatchToRun = { batchId: string; clanId: string; awards: number };

/** Throws when Redis cannot take the job; the batch's record is stored, and the recovery scan brings the job later. */
export type JobQueue = {
  add(batch: BatchToRun): Promise<void>;
  /**
   * Batches whose job waits its turn or runs: all in one answer, since they are many. Those that wait to be tried again
   * are not in it.
   */
  listQueued(): Promise<ReadonlySet<string>>;
  /**
   * Makes sure that a job waits or runs for each of these batches, in this order within a clan; returns how many it had
   * to add or revive.
   */
  ensure(batches: readonly BatchToRun[]): Promise<number>;
};

/** How a batch's job stands. `delayed`: it failed, and is tried again. `missing`: no job waits or runs. */
export type JobFacts = {
  state: "waiting" | "active" | "delayed" | "failed" | "missing";
  attempts: number;
  error: string | null;
};

/** Answers true when a batch may be done, false after `timeoutMs`. A hint only: the record decides. */
export type BatchSignal = { wait(batchId: string, timeoutMs: number): Promise<boolean> };
