// The bounds of rate limiting, each with its reason.

/**
 * A process leases this share of a second's rate at a time: 20 calls of Redis per second and key, instead of one per
 * request.
 */
export const LEASE_S = 0.05;
/** An unused lease expires after this time, so that an idle process does not withhold tokens for long. */
export const LEASE_MS = 1_000;
/** Buckets of each kind in a process; the oldest is dropped first, which costs its key one call of Redis. */
export const ALLOWANCES_MAX = 20_000;
/** After a failure Redis is not called for this long, so that its outage costs nothing per request. */
export const REST_MS = 1_000;
/** How often a process announces itself, and after which time without an announcement it is no longer counted. */
export const PEER_EVERY_MS = 2_000;
export const PEER_EXPIRY_MS = 7_000;
