// How long anything waits for Redis, each with its reason, and how often priority is claimed there.

/** Redis commands that somebody waits for give up after this. */
export const COMMAND_MS = 1_000;
/**
 * Redis answers in less than 1 ms, on a machine that is overloaded in some 100; past this the process goes by its
 * share.
 */
export const RATE_COMMAND_MS = 400;
/** Redis answers in less than 1 ms; past this the flight goes on without a lock. */
export const LOCK_COMMAND_MS = 250;
export const CONNECT_MS = 3_000;
/**
 * A connection that owes an answer for this long is replaced: the network may have forgotten it, and would never say
 * so.
 */
export const SILENCE_MS = 3_000;
/** The same where commands block: BullMQ has Redis wait up to 10 s for a job or an event. */
export const PATIENT_SILENCE_MS = 15_000;
/** Back to a Redis that returns, soon and steadily. */
export const RECONNECT_MAX_MS = 1_000;

/**
 * A list of members shares the projection of another one that was read at most so long before: it may be 1 s behind.
 */
export const PROJECTION_REQUEST_FRESH_MS = 250;
/** A list waits for the projection of other processes no longer: one that is stopped must not hold it up for good. */
export const PROJECTION_REQUEST_MS = 2_000;
/** How often a process checks the connection on which it receives requests. */
export const SUBSCRIPTION_CHECK_MS = 5_000;

/** How often single awards claim priority, and workers check for a claim; and how long a claim lasts. */
export const CLAIM_EVERY_MS = 500;
export const CLAIM_MS = 2_000;
