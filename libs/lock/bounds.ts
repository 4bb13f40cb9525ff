// The bounds of the member lock, each with its reason.

/** Longer than any healthy flight, short enough that a dead process holds nobody up. */
export const LOCK_TTL_MS = 2_000;
/** After a failure Redis is left alone for this long, so that its absence costs nothing per flight. */
export const LOCK_REST_MS = 500;
/**
 * How long the number of a released member is kept: it spares a read while a member is active, and costs memory
 * afterwards.
 */
export const SEQ_TTL_MS = 300_000;
