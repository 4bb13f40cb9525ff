// The bounds of imports and of the leaderboard, each with its reason.

/**
 * Lines of an import that are submitted together: one commit group while single awards have priority, and the same
 * number for the next one.
 */
export const IMPORT_LINES_TOGETHER = 200;
/** Lines of an import that are reported individually, of each kind; further ones are counted. */
export const IMPORT_LINES_LISTED_MAX = 100;
/** The lines of one file: repeats are recognized in memory, and a dry run needs about 1 KB for each line. */
export const IMPORT_LINES_MAX = 1_000_000;

/** Names that a search reads together, and at most for one page: players may be named of whom nothing is stored. */
export const NAMES_TOGETHER = 100;
export const NAMES_EXAMINED_MAX = 1_000;

/** Reads for one page of a filtered list: 100,000 members of a rank's, 1,000 members that a search finds. */
export const FILTERED_READS_MAX = 10;
/** Members that a search counts: people who find more type more. */
export const FOUND_COUNTED_MAX = 1_000;
/** Members without an award for some time that are counted: 0.1 s of MongoDB. */
export const IDLE_COUNTED_MAX = 100_000;
/** How long a list waits for the number of members of a rank. */
export const COUNT_WAIT_MS = 500;

/** How old a position may be: as old as a list of members. */
export const ORDER_AGE_MAX_MS = 1_000;
/** Clans whose leaderboards are cached: 80 KB each, of a clan with 10,000 members or more. */
export const CLANS_ORDERED_MAX = 500;
/** The distance of two fences, as a share of the position: positions are off by less. A million members have 1,200. */
export const FENCE_SHARE = 1 / 250;
/** A clan with more members is counted again after 100 times as long as counting takes: 1 % of a core. */
export const COUNT_REST_SHARE = 100;
/** A count is not used for longer than a minute, or than this many times the time after which it is repeated. */
export const COUNT_EXPIRY_MS_MIN = 60_000;
export const COUNT_EXPIRY_SHARE = 1.2;

/** Points of a chart of a member's XP: one for a few pixels each. */
export const HISTORY_POINTS = 120;
/** Entries that such a chart reads together: 0.1 s of MongoDB where they are scattered over its files. */
export const HISTORY_ENTRIES_TOGETHER = 10_000;
/** A chart of more entries is read again after 20 times as long as reading takes: 5 % of a core. */
export const HISTORY_REST_SHARE = 20;
/** It is not used for longer than a minute, or than this many times the time after which it is read again. */
export const HISTORY_EXPIRY_SHARE = 3;
/** How long a page waits for such a chart: some hundred thousand entries. */
export const HISTORY_WAIT_MS = 2_000;
/** Charts of many entries that are cached: 4 KB each. */
export const HISTORIES_CACHED_MAX = 500;

/** Entries that one page of a list of awards looks at: some tens of milliseconds of MongoDB. */
export const LISTED_AWARDS_EXAMINED_MAX = 10_000;
/** Members that the search in a list of awards finds: more of a name finds one person. */
export const PLAYERS_SEARCHED_MAX = 100;
/** People who gave awards, in a list of them. */
export const PEOPLE_LISTED_MAX = 200;
