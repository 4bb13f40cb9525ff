// The bounds of destinations, each with its reason.

/**
 * How often a notifier compares what it holds with what exists: a change by a person acts within a second, without
 * Redis too.
 */
export const HOLD_EVERY_MS = 500;
/** How often it looks for what people ask for, unless it notices that they do when it compares. */
export const CALLS_EVERY_MS = 5_000;
/**
 * How often a notifier renews its lease, and for how long it then keeps what it holds. One that is frozen for at most
 * 12 s never loses its lease: up to 2 s have passed since it was renewed, and the next renewal has 1 s. A freeze of at
 * most 10 s changes nothing at all, because of the margin below. One that is frozen for at least 16 s always loses it,
 * because another one looks every 0.5 s (docs/decisions/0049).
 */
export const BEAT_EVERY_MS = 2_000;
export const HOLD_MS = 15_000;
/** Before the end of that time it sends nothing any more: another process may begin a little early by its clock. */
export const HOLD_MARGIN_MS = 2_000;
/** How long a process that stops waits for responses: it has 8 s, and MongoDB may be slow. */
export const STOP_MS_MAX = 4_000;
/**
 * What people have asked for is done at the same time, mostly tests, each of which takes up to 15 s: of all clans, and
 * of one clan.
 */
export const CALLS_AT_ONCE_MAX = 32;
export const CALLS_OF_CLAN_MAX = 2;
/** A notifier notices a change within a second; a machine that is busy takes longer. */
export const IN_FORCE_MS_MAX = 5_000;
/**
 * How long the roles of a group or server are shown as they were read: a page that is reloaded again and again costs 12
 * requests a minute. About 10 KB for each destination.
 */
export const ROLES_SEEN_MS = 15_000;
export const ROLES_SEEN_MAX = 500;
/** Destinations that are claimed by one write. */
export const CLAIMED_AT_ONCE = 1_000;
/** How long a destination rests whose secrets no key opens, before they are tried again. */
export const UNOPENED_REST_MS = 30_000;
/** And one that a bug has stopped: its error is logged once a minute at most. */
export const STOPPED_REST_MS = 60_000;

/** Requests at the same time: of the notifier, and for one clan. */
export const REQUESTS_AT_ONCE_MAX = 128;
export const REQUESTS_OF_CLAN_MAX = 16;
/**
 * From here on a destination has one request at a time, so that many receivers that hang leave room for others.
 */
export const REQUESTS_BUSY = REQUESTS_AT_ONCE_MAX / 2;

/** A destination whose requests take so long has one at a time, and the more places the shorter they are. */
export const SLOW_MS = 5_000;

/** Failures in a row after which a destination is only probed. */
export const FAILURES_MAX = 5;
/** A retry comes up to this share later, so that retries of many events do not coincide. */
export const RETRY_SPREAD = 0.2;
/** The rest that a receiver may ask for. */
export const REST_MS_MAX = 3_600_000;
/** After an outage, a receiver gets at most 25 requests a second until it has everything. */
export const CATCH_UP_EVERY_MS = 40;

/**
 * How often the position is stored while only events of other types are passed: before those that it names are deleted
 * by age.
 */
export const POSITION_STORED_EVERY_MS = 60_000;
/** How often the time of the last delivery is stored while everything succeeds. */
export const LAST_DELIVERED_EVERY_MS = 1_000;
/** Events that are read together. */
export const EVENTS_PER_READ = 200;
export const DELIVERY_WINDOW = {
  /** Deliveries of a destination in memory, at most, and taken ones that wait: about 200 bytes each. */
  waitingMax: 1_000,
  /** With fewer that were never tried, more events are read. */
  untriedMin: 100,
  perRead: EVENTS_PER_READ,
};
/** Failed deliveries that one transaction sends again: some tens of milliseconds. */
export const FAILED_PER_RESEND = 1_000;
/** Events that are looked through for one that a person names by its id alone: about a second of MongoDB. */
export const EVENTS_SEARCHED_MAX = 500_000;
/**
 * How often a destination looks for events without a signal, and with Redis, where a signal is lost only with a
 * connection.
 */
export const UNSIGNALLED_LOOK_MS = 1_000;
export const LOOK_MS = 10_000;
/** Nor more often than this, however many requests end. */
export const LOOK_AGAIN_MS = 250;
/** After a failure of MongoDB. */
export const STORE_AGAIN_MS = 500;

/** Characters of a response in the log. */
export const RESPONSE_CHARS_MAX = 1_024;
/** Deliveries that are deleted together. */
export const DELIVERIES_PER_DELETE = 1_000;
export const DELIVERY_RETENTION_EVERY_MS = 600_000;
/** A destination's failed deliveries are logged this often at most. */
export const FAILED_LOG_EVERY_MS = 60_000;
