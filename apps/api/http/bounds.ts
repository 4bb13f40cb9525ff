// How much one API process accepts, each with its reason. Beyond a bound it answers `busy` immediately, so memory stays
// flat.

/** A connection costs about 20 KiB; game servers keep one or two each. More callers than this want more processes. */
export const CONNECTIONS_MAX = 5_000;
/**
 * Half a second of work at full speed, and no fewer than connections: who sends one request at a time is never refused
 * for others' haste.
 */
export const REQUESTS_UNDER_WAY_MAX = 5_000;
/** Bodies of requests under way, 256 of the largest: what they are parsed into fits beside it in a heap of 256 MiB. */
export const BODY_BYTES_UNDER_WAY_MAX = 64 * 1024 * 1024;

/** One key's share of both: all five keys of a clan together leave three eighths to other clans. */
const KEYS_SHARE = 1 / 8;
export const REQUESTS_PER_KEY_MAX = REQUESTS_UNDER_WAY_MAX * KEYS_SHARE;
export const BODY_BYTES_PER_KEY_MAX = BODY_BYTES_UNDER_WAY_MAX * KEYS_SHARE;

/**
 * A body's bytes must arrive at this speed on average once the grace is over. Slow lines reach it; bodies that trickle
 * do not.
 */
export const BODY_BYTES_PER_S_MIN = 8 * 1024;
/** A small body comes with its headers or right behind; this is room for three lost packets. */
export const BODY_GRACE_MS = 3_000;

/** A body of this size is parsed in well under a millisecond. Larger ones of one key are parsed one after another. */
export const BODY_BYTES_SMALL = 16 * 1024;
/**
 * A key rests this many times as long as its last large body took: its bodies take at most a quarter of the process's
 * time.
 */
export const RESTS_PER_LARGE_BODY = 3;
