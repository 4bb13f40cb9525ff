// The bounds of the use cases, each with its reason.

/** Awards in one insert: more do not make it cheaper (measured 400 to 1,000 alike), and a conflict costs more. */
export const AWARDS_PER_FLIGHT_MAX = 500;
/** One flight commits while the next one gathers: a third one only adds conflicts on 2 cores (measured). */
export const FLIGHTS_MAX = 2;
/**
 * Throttled limits for batches while single awards are active: flight size, one flight at a time, and the pause as a
 * share of its time. Single awards keep their p99 beside a backlog within twice (measured; at full speed five times),
 * at 0.4 of the batches' full speed.
 */
export const AWARDS_PER_FLIGHT_THROTTLED = 100;
export const REST_SHARE_THROTTLED = 0.5;
/** A flight that hung for long makes nobody wait after it. */
export const REST_MS_MAX = 100;
/**
 * Answers that are written in one turn of the event loop: a tenth more awards a second than all at once (measured; 4 to
 * 16 alike).
 */
export const ANSWERS_PER_TURN = 16;
/**
 * How long awards gather behind a larger flight: more than a commit takes, so that only one that hangs is not waited
 * for.
 */
export const GATHER_MS_MAX = 100;
/** Awards waiting in one process: some seconds of work; past it the honest answer is `busy`. */
export const AWARDS_WAITING_MAX = 20_000;
/** A caller gets an answer within this: far below the game servers' own HTTP timeouts, above a restart of MongoDB. */
export const AWARD_DEADLINE_MS = 10_000;
/** A worker has nobody waiting on the line; longer deadlines spare it repeated deliveries. */
export const BATCH_AWARD_DEADLINE_MS = 30_000;
/** How long a member's award waits for a lock before it goes on without: the lock is a courtesy, the insert decides. */
export const LOCK_WAIT_MS = 250;
/**
 * After a repeated award, how long callers' keys are looked up before they are written: repeats come in bursts, after
 * an outage.
 */
export const REPEATS_EXPECTED_MS = 1_000;
/**
 * Conflicts of a flight before what is left of it goes back to its queues: each one settles all that stood before it.
 */
export const CONFLICTS_PER_FLIGHT_MAX = 4;
/** Pause after a conflict, times a random factor; between flights also times the number of returns. */
export const CONFLICT_PAUSE_MS = 5;
export const CONFLICT_PAUSE_MAX_MS = 200;

/**
 * Heads remembered in a process, some 300 bytes each: a game's players of a few hours; past it the least recently used
 * is read again.
 */
export const HEADS_REMEMBERED_MAX = 50_000;
/** How old the known epoch may be: no restore takes less, and none should run beside a process anyway. */
export const EPOCH_AGE_MAX_MS = 500;
/**
 * A commit that was planned longer ago is made only if the ledger's epoch is still the same. An erasure, which draws a
 * new one, relies on it: it waits until no commit can be on its way that was planned before it. A plan takes some
 * reads: milliseconds in a healthy MongoDB.
 */
export const PLAN_AGE_MAX_MS = 3_000;
/**
 * A head is projected this long after its commit, so that several awards of a member cost one write: with 0.2 s,
 * MongoDB spent more on the projection than on the commits (measured). A list of members has everything projected
 * first, and may be 5 s behind without Redis.
 */
export const PROJECTION_DELAY_MS = 3_000;
/**
 * Past this age heads are projected without a rest: 5 s without Redis include the writes and the reading of the list.
 */
export const PROJECTION_AGE_MAX_MS = 3_500;
/** The rest after each group, as a share of the time that it took: awards come first. */
export const PROJECTION_REST_SHARE = 2;
/** MongoDB was unavailable: the same heads are tried again after this. */
export const PROJECTION_RETRY_MS = 500;
/** A head that is behind is no difference for so long: its process may have died, and another one projects it. */
export const PROJECTION_LAG_MAX_MS = 60_000;
/**
 * A process that ends projects what waits for so long at most; what is left is projected by others, or by the next
 * award.
 */
export const PROJECTION_CLOSE_MS = 3_000;
/** How often a process notes how far it has projected. */
export const PROJECTION_NOTE_MS = 5_000;
/**
 * How far before now a process says that it has projected: longer than any commit takes whose entries it was told of.
 * Should it die, so much more of the ledger is read, which costs a second or two.
 */
export const PROJECTION_MARGIN_MS = 60_000;
/**
 * A process that has noted nothing for so long is taken for dead: three notes. One that was only paused loses nothing
 * by it.
 */
export const PROCESS_SILENCE_MS = 15_000;
/** How often a worker looks for such processes: what they left is projected within 30 s. */
export const RECOVER_EVERY_MS = 5_000;
/**
 * When it looks again: an insert that a stopped MongoDB had in its socket is executed when it goes on, minutes later.
 */
export const PROCESS_FORGOTTEN_MS = 15 * 60_000;
/** The same in a process that lives: how long after a commit without a result its members are read again, each time. */
export const SECOND_LOOKS_MS: readonly number[] = [5_000, 30_000, 5 * 60_000, PROCESS_FORGOTTEN_MS];
/**
 * How often a worker draws a new epoch: what processes remember of a ledger that was restored beside them lasts no
 * longer.
 */
export const EPOCH_DRAW_MS = 60_000;
/** Heads in one write: beyond some hundreds it is not cheaper for each, and it holds up the commits beside it. */
export const HEADS_PER_PROJECTION_MAX = 250;
/**
 * Heads that wait to be projected; past it flights wait. Only a MongoDB that takes inserts and no updates brings this
 * about.
 */
export const HEADS_UNPROJECTED_MAX = 50_000;

/**
 * How old a clan's rules may be. Changes must act within 1 s on every process (decision 0008): half of that leaves room
 * for the read.
 */
export const RULES_AGE_MAX_MS = 500;
/** Clans remembered per process; past it the oldest read is dropped. */
export const CLANS_REMEMBERED_MAX = 10_000;
/** The same age for a key's state. */
export const KEY_AGE_MAX_MS = 500;
/** Keys and unknown key ids remembered per process: 2 MB at most, so that guessing cannot grow memory. */
export const KEYS_REMEMBERED_MAX = 10_000;
/** Keys in one read: past some hundreds it takes longer than it saves. */
export const KEYS_PER_READ_MAX = 500;
/**
 * Requests whose key has still to be read: no fewer than a process admits. Past it MongoDB is too slow, and the answer
 * is `busy`.
 */
export const KEY_READS_WAITING_MAX = 5_000;
/** `lastUsedAt` may be 60 s late, as `clanxp key list --help` says. */
export const KEY_USES_FLUSH_MS = 20_000;

export const BATCH_WAIT_DEFAULT_MS = 10_000;
export const BATCH_WAIT_MAX_MS = 30_000;
/**
 * Callers of one process that are kept waiting for their batch; past it the answer is 202 at once, which costs no
 * memory.
 */
export const BATCHES_AWAITED_MAX = 1_000;
/** Batches that wait or run, of all clans: 10,000,000 awards at most, and 2 GB of records. */
export const BATCHES_UNFINISHED_MAX = 20_000;
/**
 * The part of them that one clan may have, so that no clan leaves nothing for the others: four that do their worst fill
 * it.
 */
export const BATCHES_UNFINISHED_PER_CLAN_MAX = 5_000;
/** How old their number may be: what is accepted meanwhile is bounded by the rates. */
export const BACKLOG_AGE_MAX_MS = 500;
/** How often it is asked which batches have ended without a signal: once for all that are waited for. */
export const BATCH_POLL_MS = 500;
/** A last look at a record may make a caller wait so much longer than they asked for. */
export const BATCH_LAST_LOOK_MS = 1_000;
/** An unfinished batch older than this without a job lost it with its Redis. */
export const RECOVERY_AGE_MS = 5_000;
export const RECOVERY_EVERY_MS = 2_500;
/** How much of its time a worker may spend on recovery scans. */
export const RECOVERY_SHARE_MAX = 0.05;
export const RECOVERY_PAGE = 500;

/** Unfinished batches, and reversals, that operators see one by one: a page, and as many jobs to look at in Redis. */
export const QUEUED_WORK_SHOWN_MAX = 50;

/** Batches whose awards and results are deleted in one write: of the largest, some 10 MB, and some 50 ms. */
export const FORGET_PAGE = 100;
/**
 * The pause between two such writes, so that awards come first; and how long after the last one a worker looks again.
 */
export const FORGET_PAUSE_MS = 500;
export const FORGET_EVERY_MS = 60_000;

/** Batches cancelled in one write: of the largest, some 10 MB. */
export const CANCEL_PAGE = 100;
/** How long a command waits until workers have ended what they had begun, and how often it looks. */
export const CANCEL_WAIT_MS = 10_000;
export const CANCEL_POLL_MS = 200;

/**
 * How often a claim on a key's budget is made anew after others took what was left: each time at least one of them got
 * on.
 */
export const BUDGET_RACES_MAX = 20;
/** An earlier try of an award may be in progress for so long after its claim: a little more than its deadline. */
export const BUDGET_CLAIM_OPEN_MS = AWARD_DEADLINE_MS + 5_000;
/** A second try waits for the first one so long, and looks so often, before its caller is told to retry. */
export const BUDGET_WAIT_MS = 3_000;
export const BUDGET_LOOK_MS = 50;
/** Stages of an erasure, for whoever watches. */
export const ERASURE_STAGES = 6;
/**
 * From the new epoch to the deletion of entries: by then nothing is on its way that was decided on a head from before
 * the fence.
 */
export const ERASURE_QUIET_MS = EPOCH_AGE_MAX_MS + PLAN_AGE_MAX_MS + 1_000;
/** From the second new epoch to the last look: by then no process remembers anything of the member. */
export const ERASURE_FORGET_MS = EPOCH_AGE_MAX_MS + 1_000;
/**
 * A run of a batch that read its record before ends within this: its awards have two turns at most, of which each has a
 * deadline. A step of a reversal, which takes less than a second, is waited for as long.
 */
export const ERASURE_BATCH_MS_MAX = 2 * BATCH_AWARD_DEADLINE_MS + PLAN_AGE_MAX_MS + 1_000;
export const ERASURE_BATCH_POLL_MS = 200;
/** How often a process that erases says so, and after what silence a worker goes on in its place. */
export const ERASURE_ALIVE_EVERY_MS = 2_000;
export const ERASURE_SILENCE_MS = 10_000;
/** Erasures that one worker resumes at once: they mostly wait. */
export const ERASURES_AT_ONCE = 20;
/** How often a worker looks for erasures that nobody works on. */
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
/** Differences that are told one by one; past it they are counted. */
export const DIFFERENCES_TOLD_MAX = 1_000;

/** A session nobody has used for so long has expired: longer than a working day's pauses. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
/** However much it is used: a cookie that was stolen unnoticed is worth nothing after a week. */
export const SESSION_LIFE_MS = 7 * 24 * 3_600_000;
/** How often the use of a session is written down. */
export const SESSION_TOUCH_MS = 60_000;
/** 238 random bits: cannot be guessed, whatever is known of others. */
export const SESSION_CHARS = 40;
/** An invitation survives a weekend. */
export const ACCOUNT_LINK_MS = 72 * 3_600_000;
export const ACCOUNT_LINK_CHARS = 40;
/** Between asking for a proof and its answer: a person finds a security key, or signs in elsewhere. */
export const CHALLENGE_MS = 10 * 60_000;
export const CHALLENGE_CHARS = 40;
/**
 * An account without a password changes how it signs in only so soon after a sign-in: a screen left unlocked is not
 * enough.
 */
export const FRESH_SESSION_MS = 10 * 60_000;
/**
 * Guesses of passwords. From one source a person mistypes a few times; an office shares an address. Whoever has many
 * addresses gets 28,800 guesses a day at an account, and its owner, on a new device, waits a minute at a time.
 */
export const SIGN_IN_RATES = {
  perSource: 10,
  perAddress: 50,
  windowMs: 15 * 60_000,
  perAccount: 20,
  accountWindowMs: 60_000,
};
/** A person who comes back within a season is known on the device. */
export const DEVICE_LIFE_MS = 90 * 24 * 3_600_000;

/** However many people look at a clan's activity, it is read this often. */
export const ACTIVITY_FRESH_MS = 4_000;
/** Each read goes back this far behind the one before: longer than an award takes from its time to its commit. */
export const ACTIVITY_REREAD_MS = 2 * 60_000;
/** All of the day is read this often: after an outage of MongoDB an entry may be stored minutes late. */
export const ACTIVITY_WHOLE_MS = 10 * 60_000;
/** Clans whose activity a process remembers: 1,440 minutes each, 20 MB in all. */
export const CLANS_WATCHED_MAX = 200;

/** Reversals that wait or run, of all clans, and of one: each may be of any size, and they share the workers. */
export const REVERSALS_UNFINISHED_MAX = 1_000;
export const REVERSALS_UNFINISHED_PER_CLAN_MAX = 100;
/** Entries that one step of a reversal looks at: some milliseconds of MongoDB, and what a crash makes it do again. */
export const ENTRIES_PER_STEP = 2_000;
/** Reversals that one process submits together: as many as a batch has awards. */
export const REVERSALS_AT_ONCE = 500;
/** How long a reversal goes on before other clans' jobs have their turn, in time and in awards. */
export const REVERSAL_TURN_MS = 1_000;
export const REVERSALS_PER_TURN = 500;
/** A preview that takes longer has no answer: callers wait for 10 s. */
export const PREVIEW_MS_MAX = 8_000;
/**
 * Previews that one process counts together, and of them for one clan: each reads for seconds at most, and no clan's
 * key shuts out the others.
 */
export const PREVIEWS_AT_ONCE = 4;
export const PREVIEWS_PER_CLAN_AT_ONCE = 2;
/**
 * Entries of a member, the newest first, among which one step looks for an award by its id: a tenth of a second of its
 * process, and all that a preview over HTTP does. A member has more only if a game awards every few seconds for days.
 */
export const AWARD_IDS_PER_STEP = 100_000;
/** Ids of awards that are computed in one turn of the event loop: some milliseconds. */
export const AWARD_IDS_PER_TURN = 5_000;

/**
 * Lines of an import that are submitted together: a commit group while single awards have priority, and as much again
 * that gathers.
 */
export const IMPORT_LINES_TOGETHER = 200;
/** Bad lines of an import that are reported one by one; past it they are counted. */
export const IMPORT_FAULTS_TOLD_MAX = 100;
