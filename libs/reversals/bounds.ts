// The bounds of reversals, each with its reason.

/**
 * Reversals that wait or run, of all clans, and of one clan. Each may have any size, and all of them share the workers.
 */
export const REVERSALS_UNFINISHED_MAX = 1_000;
export const REVERSALS_UNFINISHED_PER_CLAN_MAX = 100;
/** Entries that one step of a reversal reads. A step costs MongoDB some milliseconds, and is repeated after a crash. */
export const ENTRIES_PER_STEP = 2_000;
/** Reversals that one process submits at the same time: as many as a batch has awards. */
export const REVERSALS_AT_ONCE = 500;
/**
 * Throttled limits while single awards are active and a process runs one reversal only: reversals that are submitted at
 * the same time, the pause after them as a multiple of their time, and the entries of a step. Larger groups cost less,
 * and delay single awards more (measured); in groups of 25, 100,000 reversals take two minutes beside 200 single
 * awards per second.
 */
export const REVERSALS_AT_ONCE_THROTTLED = 25;
export const REVERSAL_REST_SHARE_THROTTLED = 3;
export const ENTRIES_PER_STEP_THROTTLED = 500;
/** How long a reversal runs before the jobs of other clans get their turn, in time and in awards. */
export const REVERSAL_TURN_MS = 1_000;
export const REVERSALS_PER_TURN = 500;
/** A preview that takes longer fails: callers wait for 10 s. */
export const PREVIEW_MS_MAX = 8_000;
/**
 * Previews that one process counts at the same time, in total and for one clan. Each reads for some seconds at most,
 * and the keys of one clan cannot block the others.
 */
export const PREVIEWS_AT_ONCE = 4;
export const PREVIEWS_PER_CLAN_AT_ONCE = 2;
/**
 * The number of a member's newest entries that one step searches for an award by its id, which takes 0.2 s of CPU. A
 * preview over HTTP searches no more than these. A member has more entries only if a game awards every few seconds for
 * days.
 */
export const AWARD_IDS_PER_STEP = 100_000;
/**
 * How long a search computes ids in one turn of the event loop, and the pause after it as a multiple of that time: a
 * search uses at most a quarter of the process's time, like the large bodies of a key.
 */
export const AWARD_IDS_TURN_MS = 1;
export const AWARD_IDS_REST_SHARE = 3;
/** Ids that are computed before the clock is read: a tenth of a turn. */
export const AWARD_IDS_PER_CLOCK_READ = 50;
