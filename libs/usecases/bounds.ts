// The bounds of the use cases, each with its reason.

/**
 * Awards in one insert: more awards do not make it cheaper (measured 400 to 1,000 alike), and a conflict costs more.
 */
export const AWARDS_PER_FLIGHT_MAX = 500;
/** One flight commits while the next one gathers. A third one only adds conflicts on 2 cores (measured). */
export const FLIGHTS_MAX = 2;
/**
 * Throttled limits for batches while single awards are active: flight size, one flight at a time, and the pause as a
 * share of its time. Single awards keep their p99 beside a backlog within twice (measured; at full speed five times),
 * at 0.4 of the batches' full speed.
 */
export const AWARDS_PER_FLIGHT_THROTTLED = 100;
export const REST_SHARE_THROTTLED = 0.5;
/** Upper bound of that pause, so that a flight that hung does not delay the next one for long. */
export const REST_MS_MAX = 100;
/**
 * Answers written in one turn of the event loop: a tenth more awards per second than writing all together (measured; 4
 * to 16 alike).
 */
export const ANSWERS_PER_TURN = 16;
/** How long awards gather behind a larger flight: longer than a commit takes, so only a hanging one is overtaken. */
export const GATHER_MS_MAX = 100;
/** Awards waiting in one process: a few seconds of work. Beyond it the answer is `busy`. */
export const AWARDS_WAITING_MAX = 20_000;
/** Every caller gets an answer in this time: far below game servers' HTTP timeouts, above a restart of MongoDB. */
export const AWARD_DEADLINE_MS = 10_000;
/** No caller waits for a worker's awards; a longer deadline avoids repeated deliveries of the job. */
export const BATCH_AWARD_DEADLINE_MS = 30_000;
/** How long a member's award waits for a lock before it continues without: the lock is advisory, the insert decides. */
export const LOCK_WAIT_MS = 250;
/**
 * How long after a retried award callers' keys are looked up before they are written: retries come in bursts, after an
 * outage.
 */
export const REPEATS_EXPECTED_MS = 1_000;
/** Conflicts of a flight before its other awards return to their queues. Each one settles all awards before it. */
export const CONFLICTS_PER_FLIGHT_MAX = 4;
/** Pause after a conflict, times a random factor; between flights also times the number of returns. */
export const CONFLICT_PAUSE_MS = 5;
export const CONFLICT_PAUSE_MAX_MS = 200;
/** Conflicts in a row after which a member's awards are reported: other processes explain a few, not so many. */
export const CONFLICTS_REPORTED_AT = 10;

/**
 * Heads remembered in a process, about 300 bytes each: a game's players of a few hours. Beyond it the least recently
 * used is dropped.
 */
export const HEADS_REMEMBERED_MAX = 50_000;
/** Locks in a row that showed no other process, after which none are taken: at most one award in so many conflicts. */
export const CONTENTION_FREE_LOCKS = 1_000;
/** Maximum age of the known epoch: no restore is faster, and none should run next to a process anyway. */
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
/** The pause after each group, as a multiple of the time that it took: awards come first. */
export const PROJECTION_REST_SHARE = 2;
/** When MongoDB was unavailable, the same heads are tried again after this time. */
export const PROJECTION_RETRY_MS = 500;
/**
 * A head that is behind is reported as a difference only after this time: its process may have died, and another one
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
 * A process records a time this far in the past as projected: longer than any successful commit takes. If it dies, this
 * much more of the ledger is read, which costs a second or two.
 */
export const PROJECTION_MARGIN_MS = 60_000;
/**
 * A process that has recorded nothing for this long is considered dead: three intervals. A process that was only paused
 * loses nothing.
 */
export const PROCESS_SILENCE_MS = 15_000;
/** How often a worker looks for dead processes: what they left is projected within 30 s. */
export const RECOVER_EVERY_MS = 5_000;
/** When it looks again: an insert in the socket of a stopped MongoDB is executed when that continues, minutes later. */
export const PROCESS_FORGOTTEN_MS = 15 * 60_000;
/** The same in a living process: how long after a commit without a result its members are read again, each time. */
export const SECOND_LOOKS_MS: readonly number[] = [5_000, 30_000, 5 * 60_000, PROCESS_FORGOTTEN_MS];
/**
 * How often a worker draws a new epoch. It bounds how long processes remember heads of a ledger that was restored while
 * they ran.
 */
export const EPOCH_DRAW_MS = 60_000;
/** Heads in one write: some hundreds more do not make it cheaper per head, and delay the commits next to it. */
export const HEADS_PER_PROJECTION_MAX = 250;
/**
 * Heads that wait to be projected; beyond it flights wait. Only a MongoDB that accepts inserts and no updates causes
 * this.
 */
export const HEADS_UNPROJECTED_MAX = 50_000;

/**
 * Maximum age of a clan's cached rules. Changes must take effect within 1 s on every process (decision 0008): half of
 * that leaves time for the read.
 */
export const RULES_AGE_MAX_MS = 500;
/** Clans cached per process; beyond it the one that was read first is dropped. */
export const CLANS_REMEMBERED_MAX = 10_000;
/** The same maximum age for a key's state. */
export const KEY_AGE_MAX_MS = 500;
/** Keys and unknown key ids cached per process: at most 2 MB, so that guessing cannot grow memory. */
export const KEYS_REMEMBERED_MAX = 10_000;
/** Keys in one read: some hundreds more take longer than they save. */
export const KEYS_PER_READ_MAX = 500;
/**
 * Requests whose key must still be read: as many as a process admits. Beyond it MongoDB is too slow, and the answer is
 * `busy`.
 */
export const KEY_READS_WAITING_MAX = 5_000;
/** `lastUsedAt` may be 60 s late, as `clanxp key list --help` says. */
export const KEY_USES_FLUSH_MS = 20_000;

export const BATCH_WAIT_DEFAULT_MS = 10_000;
export const BATCH_WAIT_MAX_MS = 30_000;
/** Callers of one process that wait for their batch. Beyond it the answer is 202 immediately, which costs no memory. */
export const BATCHES_AWAITED_MAX = 1_000;
/** Batches that wait or run, of all clans: at most 10,000,000 awards, and 2 GB of records. */
export const BATCHES_UNFINISHED_MAX = 20_000;
/** The share of one clan, so that it leaves room for others: only four clans at their limit fill the total. */
export const BATCHES_UNFINISHED_PER_CLAN_MAX = 5_000;
/** Maximum age of the counted backlog: the rates bound what is accepted meanwhile. */
export const BACKLOG_AGE_MAX_MS = 500;
/** How often one query checks all awaited batches for those that ended without a signal. */
export const BATCH_POLL_MS = 500;
/** A final read of the record may delay the caller by this much beyond the requested wait. */
export const BATCH_LAST_LOOK_MS = 1_000;
/** An unfinished batch that is older and has no job lost the job with its Redis. */
export const RECOVERY_AGE_MS = 5_000;
export const RECOVERY_EVERY_MS = 2_500;
/** Maximum share of its time that a worker spends on recovery scans. */
export const RECOVERY_SHARE_MAX = 0.05;
export const RECOVERY_PAGE = 500;

/**
 * Unfinished batches, and reversals, that operators see individually: one page, and as many jobs to look up in Redis.
 */
export const QUEUED_WORK_SHOWN_MAX = 50;

/** Batches whose awards and results are deleted in one write: for the largest, about 10 MB and 50 ms. */
export const RETENTION_PAGE = 100;
/**
 * The pause between two such writes, so that awards come first; and the time after the last one until a worker looks
 * again.
 */
export const RETENTION_PAUSE_MS = 500;
export const RETENTION_EVERY_MS = 60_000;

/** Batches cancelled in one write: about 10 MB for the largest. */
export const CANCEL_PAGE = 100;
/** How long a command waits until workers have ended the runs that they had begun, and how often it looks. */
export const CANCEL_WAIT_MS = 10_000;
export const CANCEL_POLL_MS = 200;

/** How often a claim is retried after others took the rest of the budget. In each round at least one succeeds. */
export const BUDGET_RACES_MAX = 20;
/** An earlier attempt of an award may be in progress for this long after its claim: a little more than its deadline. */
export const BUDGET_CLAIM_OPEN_MS = AWARD_DEADLINE_MS + 5_000;
/** Longer than an election takes, and than BUDGET_WAIT_MS. The commit gets the rest of AWARD_DEADLINE_MS. */
export const BUDGET_CLAIM_MS_MAX = 5_000;
/** How long an answer waits until unapplied XP is given back, so that the caller's next request can spend it. */
export const BUDGET_GIVE_BACK_MS = 1_000;
/** A second attempt waits this long for the first one, and checks this often, before its caller is asked to retry. */
export const BUDGET_WAIT_MS = 3_000;
export const BUDGET_LOOK_MS = 50;
/** Stages of an erasure, for the progress display. */
export const ERASURE_STAGES = 6;
/**
 * From the new epoch to the deletion of entries. After it, nothing is in progress that was decided on a head from
 * before the fence.
 */
export const ERASURE_QUIET_MS = EPOCH_AGE_MAX_MS + PLAN_AGE_MAX_MS + 1_000;
/** From the second new epoch to the final check. After it, no process remembers anything of the member. */
export const ERASURE_FORGET_MS = EPOCH_AGE_MAX_MS + 1_000;
/**
 * A run of a batch that read its record before ends within this time: its awards take two turns at most, each with a
 * deadline. A step of a reversal takes less than a second, and gets the same time.
 */
export const ERASURE_BATCH_MS_MAX = 2 * BATCH_AWARD_DEADLINE_MS + PLAN_AGE_MAX_MS + 1_000;
export const ERASURE_BATCH_POLL_MS = 200;
/** How often a process that erases records that it is alive, and after what silence a worker takes over. */
export const ERASURE_ALIVE_EVERY_MS = 2_000;
export const ERASURE_SILENCE_MS = 10_000;
/** Erasures that one worker resumes at the same time: they mostly wait. */
export const ERASURES_AT_ONCE = 20;
/** How often a worker looks for abandoned erasures. */
export const ERASURE_RESUME_EVERY_MS = 5_000;

export const KEY_GRACE_MAX_MS = 7 * 24 * 3_600_000;
export const KEY_GRACE_DEFAULT_MS = 24 * 3_600_000;

/**
 * Members and entries that reconcile reads from one snapshot: MongoDB keeps a snapshot for 300 s, and this takes about
 * 1 s.
 */
export const ITEMS_PER_SNAPSHOT = 100_000;
/** Reversals that reconcile compares with their awards in one read: some hundred kilobytes. */
export const REVERSALS_PER_LOOK = 500;
/** Differences that are reported individually; further ones are counted. */
export const DIFFERENCES_TOLD_MAX = 1_000;

/** A session that nobody used for this long has expired: longer than the pauses of a working day. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
/** The maximum age of a session: a cookie that was stolen unnoticed is worthless after a week. */
export const SESSION_LIFE_MS = 7 * 24 * 3_600_000;
/** How often the use of a session is recorded. */
export const SESSION_TOUCH_MS = 60_000;
/** 238 random bits: it cannot be guessed. */
export const SESSION_CHARS = 40;
/** An invitation survives a weekend. */
export const ACCOUNT_LINK_MS = 72 * 3_600_000;
export const ACCOUNT_LINK_CHARS = 40;
/** Time between a challenge and its answer: enough for a person to find a security key, or to sign in elsewhere. */
export const CHALLENGE_MS = 10 * 60_000;
export const CHALLENGE_CHARS = 40;
/**
 * An account without a password can change how it signs in only this soon after a sign-in: an unlocked screen is not
 * enough.
 */
export const FRESH_SESSION_MS = 10 * 60_000;
/**
 * Guesses of passwords. From one source a person mistypes a few times; an office shares an address. An attacker with
 * many addresses gets 28,800 guesses a day at an account, and its owner waits at most a minute on a new device.
 */
export const SIGN_IN_RATES = {
  perSource: 10,
  perAddress: 50,
  windowMs: 15 * 60_000,
  perAccount: 20,
  accountWindowMs: 60_000,
};
/** People who return within a season are recognized on their device. */
export const DEVICE_LIFE_MS = 90 * 24 * 3_600_000;

/** A clan's activity is read this often, however many people look at it. */
export const ACTIVITY_FRESH_MS = 4_000;
/** Each read overlaps the one before by this much: longer than an award takes from its time to its commit. */
export const ACTIVITY_REREAD_MS = 2 * 60_000;
/** The whole day is read this often: after an outage of MongoDB an entry may be stored minutes late. */
export const ACTIVITY_WHOLE_MS = 10 * 60_000;
/** Clans whose activity a process remembers: 1,440 minutes each, 20 MB in total. */
export const CLANS_WATCHED_MAX = 200;

/** Reversals that wait or run, of all clans, and of one clan: each may be of any size, and they share the workers. */
export const REVERSALS_UNFINISHED_MAX = 1_000;
export const REVERSALS_UNFINISHED_PER_CLAN_MAX = 100;
/** Entries that one step of a reversal reads: some milliseconds of MongoDB, and the work that a crash repeats. */
export const ENTRIES_PER_STEP = 2_000;
/** Reversals that one process submits at the same time: as many as a batch has awards. */
export const REVERSALS_AT_ONCE = 500;
/** How long a reversal runs before the jobs of other clans have their turn, in time and in awards. */
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
 * The newest entries of a member among which one step looks for an award by its id: a tenth of a second of CPU, and all
 * that a preview over HTTP searches. A member has more only if a game awards every few seconds for days.
 */
export const AWARD_IDS_PER_STEP = 100_000;
/** Ids of awards that are computed in one turn of the event loop: some milliseconds. */
export const AWARD_IDS_PER_TURN = 5_000;

/**
 * Lines of an import that are submitted together: one commit group while single awards have priority, and as many that
 * gather for the next.
 */
export const IMPORT_LINES_TOGETHER = 200;
/** Bad lines of an import that are reported individually; further ones are counted. */
export const IMPORT_FAULTS_TOLD_MAX = 100;
