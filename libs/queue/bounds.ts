// The bounds of the queue, each with its reason.

export const QUEUE_NAME = "batches";
export const JOB_NAME = "run-batch";
export const REVERSAL_JOB_NAME = "run-reversal";

/** Time to add a job; after it the batch is left to the recovery scan. */
export const ADD_MS = 1_000;
/** Time for BullMQ to close: batches in progress need less, and a process has 8 s to exit. */
export const CLOSE_MS = 5_000;
/** The work of a clan before the next clan's turn: one full batch, about 0.1 s of a worker. */
export const AWARDS_PER_TURN = 500;
/**
 * A batch costs work even with few awards: a worker runs about 400 small ones per second, or 5,000 awards in full ones.
 */
export const BATCH_AWARDS_MIN = 25;
/**
 * BullMQ's largest priority is 2^21. It is reached after 1,000,000,000 awards: then new batches precede those that
 * wait.
 */
export const TURN_MAX = 2_000_000;
/** Clans whose turns are stored: about 10 MB of Redis memory. */
export const TURN_CLANS_MAX = 100_000;

/**
 * Batches that a worker runs at the same time. Their awards share commit groups, so this only bounds the unfinished
 * work of a worker that crashes.
 */
export const BATCHES_AT_ONCE = 16;
/** After this time, a crashed worker is detected. Running a batch twice is harmless, so the time may be short. */
export const JOB_LOCK_MS = 5_000;
export const STALLED_CHECK_MS = 2_500;
/**
 * After a lost connection, a worker repeats a command this much later. With BullMQ's default of 15 s, a failover delays
 * batches for longer than docs/how-to/mongodb-and-redis.md says.
 */
export const RUN_RETRY_MS = 1_000;
/** A job never fails because its workers crashed: with BullMQ's default, 1, it would fail at the second crash. */
export const STALLED_COUNT_MAX = 1_000_000;
/** Attempts over several hours; after them the recovery scan revives the job. */
export const ATTEMPTS_MAX = 1_000;
export const BACKOFF_MS = 250;
export const BACKOFF_MAX_MS = 10_000;
/** A reversal is tried again after this time if its batch is not done yet or another reversal has its turn. */
export const REVERSAL_LATER_MS = 1_000;
/** Finished jobs are stored for inspection only: the record contains everything. */
export const COMPLETED_RETENTION = { age: 600, count: 200 } as const;
export const FAILED_RETENTION = { age: 7 * 24 * 3600, count: 1_000 } as const;
export const EVENTS_MAX = 2_000;
/** Completions that are stored for a caller that begins to wait late. */
export const SIGNALS_STORED_MAX = 5_000;
/** A worker that takes no jobs must be visible in the log, and must not fill it. */
export const REJECTED_LOG_EVERY_MS = 60_000;
