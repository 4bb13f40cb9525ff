// The bounds of the data about clans that processes cache, each with its reason.

/**
 * Maximum age of a clan's cached rules. Changes must take effect within 1 s on every process (decision 0008): half of
 * that leaves time for the read.
 */
export const RULES_AGE_MAX_MS = 500;
/** Clans cached per process; beyond it those that were read first are dropped. */
export const CLANS_CACHED_MAX = 10_000;
/** A clan's activity is read this often, however many people view it. */
export const ACTIVITY_FRESH_MS = 4_000;
/** Each read overlaps the one before by this much: longer than an award takes from its time to its commit. */
export const ACTIVITY_REREAD_MS = 2 * 60_000;
/** The whole day is read this often: after an outage of MongoDB an entry may be stored minutes late. */
export const ACTIVITY_FULL_READ_MS = 10 * 60_000;
/** Clans whose activity a process caches: 1,440 minutes each, 20 MB in total. */
export const CLANS_WATCHED_MAX = 200;
