// The bounds of the projection and its recovery, each with its reason.

/**
 * A head is projected this long after its commit, so that several awards of a member cost one write: with 0.2 s,
 * MongoDB spent more on the projection than on the commits (measured). Before a list of members is read, everything is
 * projected; without Redis the list may be 5 s behind.
 */
export const PROJECTION_DELAY_MS = 3_000;
/**
 * Heads that are older are projected without a pause: the 5 s without Redis include the writes and the reading of the
 * list.
 */
export const PROJECTION_AGE_MAX_MS = 3_500;
/** The pause after each group, as a multiple of the time that it took: awards take precedence. */
export const PROJECTION_REST_SHARE = 2;
/** When MongoDB was unavailable, the same heads are tried again after this time. */
export const PROJECTION_RETRY_MS = 500;
/**
 * A head that is behind is reported as a difference only after this time: its process may have crashed, and another one
 * projects it.
 */
export const PROJECTION_LAG_MAX_MS = 60_000;
/**
 * A process that exits projects pending heads for at most this time. Others, or the member's next award, project the
 * rest.
 */
export const PROJECTION_CLOSE_MS = 3_000;
/** How often a process records how far it has projected. */
export const PROJECTION_NOTE_MS = 5_000;
/**
 * A commit that waits longer for such a record is decided again: an erasure relies on the age of the plan
 * (PLAN_AGE_MAX_MS) when it waits for commits in progress, and has a second of reserve.
 */
export const PROJECTION_NOTE_MS_MAX = 500;
/** Commits that end within this time are remembered together, by their oldest entry, until they are projected. */
export const PROJECTION_GROUP_MS = 1_000;
/**
 * A process records a time this far in the past as projected: longer than any successful commit takes. If the process
 * crashes, this much more of the ledger is read, which costs a second or two.
 */
export const PROJECTION_MARGIN_MS = 60_000;
/**
 * A process that has recorded nothing for this long is considered dead: three intervals. A process that was only paused
 * loses nothing.
 */
export const PROCESS_SILENCE_MS = 15_000;
/**
 * One worker reads the entries of a silent process. If it crashes, another one begins after this time; while it works,
 * it renews its claim three times in it.
 */
export const PROCESS_CLAIM_MS = 15_000;
export const PROCESS_CLAIM_RENEW_MS = 5_000;
/** How often a worker looks for crashed processes: their remaining heads are projected within 30 s. */
export const RECOVER_EVERY_MS = 5_000;
/**
 * When it checks again: an insert in the socket of a stopped MongoDB is executed when MongoDB continues, minutes later.
 */
export const PROCESS_EXPIRY_MS = 15 * 60_000;
/** The same in a running process: how long after a commit without a result its members are read again, each time. */
export const RECHECK_DELAYS_MS: readonly number[] = [5_000, 30_000, 5 * 60_000, PROCESS_EXPIRY_MS];
/** Heads in one write: larger writes are not cheaper per head, and delay concurrent commits. */
export const HEADS_PER_PROJECTION_MAX = 250;
/**
 * Heads that wait to be projected; beyond it flights wait. Only a MongoDB that accepts inserts and no updates causes
 * this.
 */
export const HEADS_UNPROJECTED_MAX = 50_000;
