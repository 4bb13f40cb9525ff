// The bounds of the ledger, each with its reason.

/**
 * Awards in one insert: more awards do not make it cheaper (measured: no difference from 400 to 1,000), and a conflict
 * costs more.
 */
export const AWARDS_PER_GROUP_MAX = 500;
/**
 * One group is committed while the next one collects awards. A third one only adds conflicts on 2 cores (measured).
 */
export const GROUPS_MAX = 2;
/**
 * Throttled limits for batches while single awards are active: group size, one group at a time, and the pause as a
 * share of the group's time. With these limits, a backlog at most doubles the p99 of single awards (measured; five
 * times at full speed), and batches run at 0.4 of their full speed.
 */
export const AWARDS_PER_GROUP_THROTTLED = 100;
export const REST_SHARE_THROTTLED = 0.5;
/** Upper bound of that pause, so that a group that took very long does not delay the next one. */
export const REST_MS_MAX = 100;
/**
 * Responses written in one turn of the event loop: 10 % more awards per second than writing all together (measured; no
 * difference from 4 to 16).
 */
export const OUTCOMES_PER_TURN = 16;
/**
 * How long awards are collected during a larger group: longer than a commit usually takes, so a second group starts
 * earlier only if a commit does not respond.
 */
export const GATHER_MS_MAX = 100;
/** Awards waiting in one process: a few seconds of work. Beyond it the outcome is `busy`. */
export const AWARDS_WAITING_MAX = 20_000;
/**
 * Awards of one member that wait while the member is being erased, which takes 6 s and more: enough for a game server's
 * burst. Beyond it the outcome is `busy`.
 */
export const AWARDS_BLOCKED_PER_MEMBER_MAX = 200;
/**
 * Every caller gets a response within this time: far below game servers' HTTP timeouts, but longer than a restart of
 * MongoDB.
 */
export const AWARD_DEADLINE_MS = 10_000;
/** No caller waits for a worker's awards; a longer deadline avoids repeated deliveries of the job. */
export const BATCH_AWARD_DEADLINE_MS = 30_000;
/** How long a member's award waits for a lock before it continues without: the lock is advisory, the insert decides. */
export const LOCK_WAIT_MS = 250;
/**
 * How long a process takes locks after a sign of another process that awards the same members. Processes that share
 * members meet more often than this under load.
 */
export const CONTENTION_MS = 2_000;
/**
 * How often a process that needs no locks takes them. Only the process that loses the race for a member's entries sees
 * a conflict, so a process that always wins would otherwise not detect the other one.
 */
export const CONTENTION_CHECK_MS = 250;
/**
 * How long after a retried award callers' keys are looked up before they are written: after an outage, retries arrive
 * in bursts.
 */
export const RETRIES_EXPECTED_MS = 1_000;
/** Conflicts of a group before its other awards return to their queues. Each one settles all awards before it. */
export const CONFLICTS_PER_GROUP_MAX = 4;
/** Pause after a conflict, times a random factor; between groups also times the number of returns. */
export const CONFLICT_PAUSE_MS = 5;
export const CONFLICT_PAUSE_MAX_MS = 200;
/**
 * Conflicts in a row after which a member's awards are reported: other processes cause a few conflicts, but not this
 * many.
 */
export const CONFLICTS_REPORTED_AT = 10;

/**
 * Heads cached in a process, about 300 bytes each: the players of a game within a few hours. Beyond this number, the
 * least recently used are dropped.
 */
export const HEADS_CACHED_MAX = 50_000;
/** Maximum age of the known epoch. An erasure waits for it. */
export const EPOCH_AGE_MAX_MS = 500;
/**
 * A commit whose plan is older is made only if the ledger's epoch is still the same. An erasure, which draws a new
 * epoch, relies on this: it waits until no commit that was planned before it can be in progress. A plan needs a few
 * reads: milliseconds in a healthy MongoDB.
 */
export const PLAN_AGE_MAX_MS = 3_000;
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
/** How often a process renews its record, how long it waits for MongoDB then, and when it tries again. */
export const RECORD_EVERY_MS = 5_000;
export const RECORD_REPLY_MS_MAX = 4_000;
export const RECORD_RETRY_MS = 500;
/**
 * A commit that waits longer for such a record is decided again: an erasure relies on the age of the plan
 * (PLAN_AGE_MAX_MS) when it waits for commits in progress, and has a second of reserve.
 */
export const RECORD_WAIT_MS_MAX = 500;
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
 * Heads that wait to be projected; beyond it commit groups wait. Only a MongoDB that accepts inserts and no updates
 * causes this.
 */
export const HEADS_UNPROJECTED_MAX = 50_000;
