// The bounds of the data about clans that processes cache, each with its reason.

/**
 * Maximum age of a clan's cached rules. Changes must take effect within 1 s on every process (decision 0008): half of
 * that leaves time for the read.
 */
export const RULES_AGE_MAX_MS = 500;
/** Clans cached per process; beyond it those that were read first are dropped. */
export const CLANS_CACHED_MAX = 10_000;
