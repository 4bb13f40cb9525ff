// The bounds of events, each with its reason.

/**
 * How often a worker looks for changes whose events have no numbers, while entries are committed and this long after.
 * An event must be readable within a second of the response to its award. Under load, half as many looks take half of
 * the time: what they cost does not depend on how many events they find.
 */
export const NUMBER_EVERY_MS = 500;
export const NUMBERING_MS = 2_000;
/** The same while no process announces any: it finds those whose announcement was lost. */
export const NUMBER_IDLE_EVERY_MS = 2_500;
/**
 * Clans in one turn, and changes of each. A turn is one insert: MongoDB's time goes into the number of commands and of
 * inserts that it has to make durable, not into events.
 */
export const CLANS_PER_TURN = 20;
export const CHANGES_PER_TURN = 200;
/** Pause before an erasure appends its event again, because another one took the number. */
export const APPEND_AGAIN_MS = 20;
/** Ids in one `events.erased`. */
export const ERASED_IDS_MAX = 200;
/** Events that one read looks at, however few of them have the requested types. */
export const EVENTS_EXAMINED_MAX = 2_000;
/** The same for a page of the newest events: some 20 ms of MongoDB. */
export const LISTED_EVENTS_EXAMINED_MAX = 10_000;
/**
 * How often a waiting caller looks for events without a signal: in an installation without Redis, an event is readable
 * within 2 s, numbering included.
 */
export const UNSIGNALLED_LOOK_EVERY_MS = 1_000;
/** The same with Redis, where a signal is lost only with a connection. */
export const LOOK_EVERY_MS = 5_000;
/** A look at the end of a wait may delay the caller by this much beyond the requested wait. */
export const LAST_LOOK_MS = 1_000;
/** Events that are deleted by age in one step: a million old events are gone within a minute without awards. */
export const EVENTS_PER_DELETION = 10_000;
/**
 * How often it looks for old events, which takes one command for each clan: with 10,000 clans, 0.6 % of a core of
 * MongoDB. They must go within an hour.
 */
export const EVENT_RETENTION_EVERY_MS = 600_000;
/** Calls of one process that wait for events, and those of one key, so that a key leaves room for others. */
export const CALLS_WAITING_MAX = 500;
export const CALLS_WAITING_PER_KEY_MAX = 200;
/** Those of a clan while calls of other clans wait, or want to: with its share alone, a clan leaves room for four. */
export const CALLS_WAITING_PER_CLAN_MAX = 100;
/** Reads for waiting calls of different clans at the same time: each may return thousands of events. */
export const SHARED_READS_AT_ONCE = 10;
