// The bounds of resets, each with its reason.

/** Resets of a clan that are not done: a season has one, and a plan for a year has a dozen. */
export const RESETS_UNFINISHED_PER_CLAN_MAX = 20;
/** The resets of a clan that are listed. */
export const RESETS_LISTED_MAX = 100;
/** How far a clock may be ahead whose awards a reset of the present includes: a process beyond it is not ready. */
export const CLOCK_AHEAD_MS_MAX = 5 * 60_000;
