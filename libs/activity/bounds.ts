// The bounds of the activity of clans, each with its reason.

/** A clan's newest minutes are read this often, however many people view it. */
export const ACTIVITY_FRESH_MS = 4_000;
/** Each read overlaps the one before by this much: longer than an award takes from its time to its commit. */
export const ACTIVITY_REREAD_MS = 2 * 60_000;
/** All of the newest hours are read this often: after an outage of MongoDB an entry may be stored minutes late. */
export const ACTIVITY_FULL_READ_MS = 10 * 60_000;
/**
 * The running hour and so many before it are read from the ledger, and older ones as they were counted. So an entry
 * may be stored two hours after its time: a MongoDB that was stopped stores one up to 15 minutes late, and a process
 * is not ready if its clock is off by 5 minutes.
 */
export const HOURS_OPEN = 2;
/** Clans whose newest minutes a process caches: 180 each. */
export const CLANS_WATCHED_MAX = 500;
/**
 * How long a reader waits for hours that were not counted yet. A clan with few entries is counted by then; of others
 * the reader gets what is counted.
 */
export const COUNT_WAIT_MS = 150;
/** Hours are counted in steps that take about this long, and each step is followed by a rest as long as itself. */
export const COUNT_STEP_MS = 200;
/** Hours in one step: those of the longest range and of the one before. */
export const HOURS_PER_STEP_MAX = 60 * 24;
/** Members of each rank are counted again after 100 times as long as counting takes, which is 1 % of a core. */
export const HIGHLIGHTS_REST_SHARE = 100;
/** How long a reader waits for the first count: it goes on while the page shows the rest. */
export const HIGHLIGHTS_WAIT_MS = 1_000;
/** A count is not used for longer than this many times the time after which it is repeated. */
export const HIGHLIGHTS_EXPIRY_SHARE = 1.2;
/** Members in the list of those who gained the most. */
export const TOP_MEMBERS = 10;
