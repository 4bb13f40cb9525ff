// The bounds of batches, their recovery and their retention, each with its reason.

export const BATCH_WAIT_DEFAULT_MS = 10_000;
export const BATCH_WAIT_MAX_MS = 30_000;
/**
 * Callers of one process that wait for their batch. Beyond it the response is 202 immediately, which costs no memory.
 */
export const BATCHES_AWAITED_MAX = 1_000;
/** Batches that wait or run, of all clans: at most 10,000,000 awards, and 2 GB of records. */
export const BATCHES_UNFINISHED_MAX = 20_000;
/**
 * The share of one clan, so that other clans can submit batches, too: it takes four clans at their limit to reach the
 * total.
 */
export const BATCHES_UNFINISHED_PER_CLAN_MAX = 5_000;
/** Maximum age of the counted backlog: the rates bound what is accepted meanwhile. */
export const BACKLOG_AGE_MAX_MS = 500;
/** How often one query checks all awaited batches for those that ended without a signal. */
export const BATCH_POLL_MS = 500;
/** A final read of the record may delay the caller by this much beyond the requested wait. */
export const BATCH_LAST_READ_MS = 1_000;
/** An unfinished batch that is older and has no job has lost its job. */
export const RECOVERY_AGE_MS = 5_000;
export const RECOVERY_EVERY_MS = 2_500;
/** Maximum share of its time that a worker spends on recovery scans. */
export const RECOVERY_SHARE_MAX = 0.05;
export const RECOVERY_PAGE = 500;

/** Batches whose awards and results are deleted in one write: for the largest, about 10 MB and 50 ms. */
export const RETENTION_PAGE = 100;
/**
 * The pause between two such writes, so that awards take precedence, and the time after the last one until a worker
 * checks again.
 */
export const RETENTION_PAUSE_MS = 500;
export const RETENTION_EVERY_MS = 60_000;

/** Batches cancelled in one write: about 10 MB for the largest. */
export const CANCEL_PAGE = 100;
/** How long a command waits until workers have ended the runs that they had begun, and how often it looks. */
export const CANCEL_WAIT_MS = 10_000;
export const CANCEL_POLL_MS = 200;
