// The bounds of boards, each with its reason.
import { PLAN_AGE_MAX_MS, PROCESS_SILENCE_MS, PROJECTION_AGE_MAX_MS, PROJECTION_MARGIN_MS } from "#ledger/bounds.ts";

/** Standings are caught up at most this often for each clan, by whatever process: as old as the leaderboard may be. */
export const AS_OF_AGE_MAX_MS = 1_000;
/**
 * How long a read waits for it. Then it returns what is counted, as of an earlier time; of a board that was never
 * counted, it returns nothing.
 */
export const CATCH_UP_MS_MAX = 3_000;
/** Without a reply of every process, awards may be missing for as long as heads wait to be projected, and a second. */
export const UNREPORTED_MS = PROJECTION_AGE_MAX_MS + 1_000;
/** What was read for a write is not older: a write must not arrive after an erasure, or for periods of another time. */
export const READS_AGE_MAX_MS = PLAN_AGE_MAX_MS;
/** Members that are counted together: one read of entries, one of standings, one write of each. */
export const MEMBERS_PER_COUNT = 200;
/** Entries that memory holds of one clan while they are counted: a megabyte or two. */
export const ENTRIES_PER_COUNT = 5_000;
/** Members whose chains are read at the same time, when a period is counted from the ledger. */
export const CHAINS_AT_ONCE = 8;
/** A count from the ledger that takes longer pauses between its reads. */
export const LONG_COUNT_MS = 1_000;
/**
 * It pauses after each of its reads for this multiple of the time that the read took: it uses a quarter of the
 * process's time at most, and other work of the process and of MongoDB is done.
 */
export const RESTS_PER_READ = 3;
export const REST_MS_MAX = 500;
/** Clans whose periods a process counts from the ledger at the same time: after a restore, all need it. */
export const CLANS_COUNTED_AT_ONCE = 2;
/** How often such a count verifies that its periods are still to be counted: it may take minutes. */
export const OPEN_READ_EVERY_MS = 1_000;
/**
 * Periods are stored this far ahead for entries of processes whose clocks are ahead, which are not ready beyond five
 * minutes.
 */
export const CLOCK_ERROR_MS_MAX = 24 * 60 * 60_000;
/** How late the entry of a commit may be dated: a plan waits for the epoch before it is committed. */
export const COMMIT_LATE_MS_MAX = 2 * PLAN_AGE_MAX_MS;
/** A process has recorded that everything until then is projected: its record has a margin. */
export const MARK_MARGIN_MS = PROJECTION_MARGIN_MS - COMMIT_LATE_MS_MAX;
/** A process that has recorded nothing for this long has crashed: its entries are read from the ledger. */
export const SILENT_MS = PROCESS_SILENCE_MS;
/** Standings that are discarded are deleted this much later: a process that knew their name has ended its work. */
export const DISCARDED_AGE_MS_MIN = 60 * 60_000;
/** A period becomes final in less time: its copied standings count as discarded until then. */
export const FINISH_MS_MAX = DISCARDED_AGE_MS_MIN / 2;
/** Standings that are copied together, with their positions, when a period is final. */
export const STANDINGS_PER_COPY = 1_000;
/** A step of counting what happened in a period: a few million entries at most, which MongoDB reads in seconds. */
export const CHANGES_STEP_MS = 60 * 60_000;
/** It pauses as long as a step took that MongoDB has worked for. */
export const CHANGES_MS_MIN = 10;
/** How often a worker looks for periods that have begun or are to be final. */
export const BOARD_UPKEEP_EVERY_MS = 5_000;
/** Periods whose orders are cached, 80 KB each. */
export const PERIODS_ORDERED_MAX = 200;
