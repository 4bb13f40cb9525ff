// The bounds of gains, each with its reason.

/** The parts of a member's gains: a chart has one for each few pixels, and a year of days fits. */
export const GAIN_PARTS_MAX = 400;
/** Entries of a span: a count of them takes minutes. */
export const GAIN_ENTRIES_MAX = 20_000_000;
/** Entries that are counted together: 0.2 s of MongoDB. Each member among them is one row for this process. */
export const ENTRIES_TOGETHER = 50_000;
/** Members whose reversals, or whose memberships, are read together: more would make awards wait for this process. */
export const MEMBERS_TOGETHER = 200;
/** After each step, a count rests for this multiple of the time that the step took. */
export const RESTS_PER_STEP = 0.15;
/** The same while single awards are served: a count takes an eighth of a core at most. With a sixth, p99 doubled. */
export const RESTS_PER_STEP_THROTTLED = 7;
/** MongoDB keeps a snapshot for 300 s: a count that would read it for longer than this rests less. */
export const SNAPSHOT_MS_MAX = 200_000;
/** Counts of one clan, one after the other, rest in between for as long as the last one took, and no longer. */
export const REST_BETWEEN_MS_MAX = 10_000;
/** Counts that a process makes at the same time. */
export const COUNTS_AT_ONCE = 2;
/** Spans that wait for their turn in a process; callers of others ask again. */
export const COUNTS_WAITING_MAX = 100;
/** How long a reader waits for a count. */
export const COUNT_WAIT_MS = 2_000;
/** A count is made anew when it is older than this, or than so many times as long as it took. */
export const COUNT_AGE_MS_MAX = 60_000;
export const COUNT_AGE_SHARE = 20;
/** How long a cursor can be used at least, and how much longer a count is stored, because it may be given late. */
export const CURSOR_MS_MIN = 10 * 60_000;
export const KEPT_MARGIN_MS = 5 * 60_000;
/** How often a process renews its right to count in a clan, which it loses after GAIN_CLAIM_MS. */
export const CLAIM_RENEW_EVERY_MS = 3_000;
/** How often a process that waits for this right asks for it. */
export const CLAIM_RETRY_MS = 250;
