// The bounds of the batch road's queue, each with its reason.

export const QUEUE_NAME = "batches";
export const JOB_NAME = "run-batch";
export const REVERSAL_JOB_NAME = "run-reversal";

/** Adding a job: past this the batch is left to the recovery scan. */
export const ADD_MS = 1_000;
/** What BullMQ may take to end: batches under way need less, and a process that ends has 8 s. */
export const CLOSE_MS = 5_000;
/** What a clan may have done before the next clan's turn: one full batch, some 0.1 s of a worker. */
export const AWARDS_PER_TURN = 500;
/**
 * A batch is work even with few awards in it: a worker runs some 400 small ones a second, or 5,000 awards in full ones.
 */
export const BATCH_AWARDS_MIN = 25;
/**
 * BullMQ's largest priority is 2^21. Reached after a thousand million awards: then new batches come before those that
 * wait.
 */
export const TURN_MAX = 2_000_000;
/** Clans whose turns are remembered: some 10 MB of Redis. */
export const TURN_CLANS_MAX = 100_000;

/** Batches a worker runs at once: their awards share flights, so this only bounds what a dying worker leaves behind. */
export const BATCHES_AT_ONCE = 16;
/** A worker that died is noticed after this; running a batch twice is harmless, so it may be short. */
export const JOB_LOCK_MS = 5_000;
export const STALLED_CHECK_MS = 2_500;
/** A job is never given up because its workers died: BullMQ's own default, 1, would fail it at the second death. */
export const STALLED_COUNT_MAX = 1_000_000;
/** Hours of attempts; after them the recovery scan revives the job. */
export const ATTEMPTS_MAX = 1_000;
export const BACKOFF_MS = 250;
export const BACKOFF_MAX_MS = 10_000;
/** A reversal whose batch is not done yet looks again after this. */
export const REVERSAL_LATER_MS = 1_000;
/** Finished jobs are only for people who look: the record has it all. */
export const COMPLETED_KEPT = { age: 600, count: 200 } as const;
export const FAILED_KEPT = { age: 7 * 24 * 3600, count: 1_000 } as const;
export const EVENTS_KEPT = 2_000;
/** Completions remembered for a waiter that comes late. */
export const SIGNALS_REMEMBERED = 5_000;
