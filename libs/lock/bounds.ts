// The bounds of the member lock, each with its reason.

/**
 * Longer than any healthy commit group takes, and short enough that a crashed process does not block members for long.
 */
export const LOCK_TTL_MS = 2_000;
/** After a failure Redis is not called for this long, so that its outage costs nothing per group. */
export const LOCK_REST_MS = 500;
/** How long the seq of a released member is stored: it saves a read while a member is active, but uses memory. */
export const SEQ_TTL_MS = 300_000;
