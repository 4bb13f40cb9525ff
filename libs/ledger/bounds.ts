// The bounds of the path to XP, each with its reason.

/**
 * Awards in one insert: more awards do not make it cheaper (measured: no difference from 400 to 1,000), and a conflict
 * costs more.
 */
export const AWARDS_PER_FLIGHT_MAX = 500;
/**
 * One flight is committed while the next one collects awards. A third one only adds conflicts on 2 cores (measured).
 */
export const FLIGHTS_MAX = 2;
/**
 * Throttled limits for batches while single awards are active: flight size, one flight at a time, and the pause as a
 * share of the flight's time. With these limits, a backlog at most doubles the p99 of single awards (measured; five
 * times at full speed), and batches run at 0.4 of their full speed.
 */
export const AWARDS_PER_FLIGHT_THROTTLED = 100;
export const REST_SHARE_THROTTLED = 0.5;
/** Upper bound of that pause, so that a flight that took very long does not delay the next one. */
export const REST_MS_MAX = 100;
/**
 * Responses written in one turn of the event loop: 10 % more awards per second than writing all together (measured; no
 * difference from 4 to 16).
 */
export const ANSWERS_PER_TURN = 16;
/**
 * How long awards are collected during a larger flight: longer than a commit usually takes, so a second flight starts
 * earlier only if a commit does not respond.
 */
export const GATHER_MS_MAX = 100;
/** Awards waiting in one process: a few seconds of work. Beyond it the answer is `busy`. */
export const AWARDS_WAITING_MAX = 20_000;
/**
 * Awards of one member that wait while the member is being erased, which takes 6 s and more: enough for a game server's
 * burst. Beyond it the answer is `busy`.
 */
export const AWARDS_HELD_PER_MEMBER_MAX = 200;
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
 * How often a process that needs no locks takes them. Only the process that loses the race for a member's entries sees
 * a conflict, so a process that always wins would otherwise not detect the other one.
 */
export const CONTENTION_CHECK_MS = 250;
/**
 * How long after a retried award callers' keys are looked up before they are written: after an outage, retries arrive
 * in bursts.
 */
export const RETRIES_EXPECTED_MS = 1_000;
/** Conflicts of a flight before its other awards return to their queues. Each one settles all awards before it. */
export const CONFLICTS_PER_FLIGHT_MAX = 4;
/** Pause after a conflict, times a random factor; between flights also times the number of returns. */
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
/**
 * Members whose numbers wait to be published. Beyond this number, the oldest are dropped, which costs another process a
 * read.
 */
export const NUMBERS_UNPUBLISHED_MAX = 20_000;
/**
 * Number of consecutive locks without a sign of another process after which no locks are taken. At most one in this
 * many awards then conflicts.
 */
export const CONTENTION_FREE_LOCKS = 1_000;
/** Maximum age of the known epoch: no restore is faster, and no restore should run beside a process anyway. */
export const EPOCH_AGE_MAX_MS = 500;
/** How often an idle process reads the epoch: it must not miss one, because it would drop all cached heads. */
export const EPOCH_FOLLOW_MS = 1_000;
/** Heads confirmed in one read after a renewal of the epoch. */
export const HEADS_PER_CONFIRMATION_MAX = 1_000;
/**
 * A commit whose plan is older is made only if the ledger's epoch is still the same. An erasure, which draws a new
 * epoch, relies on this: it waits until no commit that was planned before it can be in progress. A plan needs a few
 * reads: milliseconds in a healthy MongoDB.
 */
export const PLAN_AGE_MAX_MS = 3_000;
/**
 * How often a worker renews the epoch. It bounds how long processes use cached heads of a ledger that was restored
 * while they ran.
 */
export const EPOCH_DRAW_MS = 60_000;
