// The bounds of rate limiting, each with its reason.

/**
 * A process takes this much of a second's rate at a time: 20 calls of Redis a second and key, instead of one a request.
 */
export const LEASE_S = 0.05;
/**
 * What a process leased and did not spend is forgotten after this, so that a quiet process holds nothing back for long.
 */
export const LEASE_MS = 1_000;
/** Buckets a process remembers; the oldest is forgotten first, which costs its key one call of Redis. */
export const ALLOWANCES_MAX = 20_000;
/** After a failure Redis is left alone for this long, so that its absence costs nothing per request. */
export const REST_MS = 1_000;
/** How often a process says that it is there, and when one that does not is no longer counted. */
export const PEER_EVERY_MS = 2_000;
export const PEER_GONE_MS = 7_000;
