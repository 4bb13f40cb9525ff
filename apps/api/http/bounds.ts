// How much one API process accepts, each with its reason. Beyond a bound it responds with `busy` immediately, so memory
// use does not grow.

import { AWARDS_WAITING_MAX } from "#ledger/bounds.ts";

/** A connection costs about 20 KiB; game servers hold one or two each. More callers than this need more processes. */
export const CONNECTIONS_MAX = 5_000;
/**
 * Half a second of work at full speed, and at least as many as connections: a caller who sends one request at a time is
 * never rejected because of others.
 */
export const REQUESTS_UNDER_WAY_MAX = 5_000;
/** Bodies of requests in progress, 256 of the largest: their parsed values also fit into a heap of 256 MiB. */
export const BODY_BYTES_UNDER_WAY_MAX = 64 * 1024 * 1024;

/**
 * One key's share of both, and of the awards that wait to be committed: all five keys of a clan together leave three
 * eighths to other clans.
 */
const KEYS_SHARE = 1 / 8;
export const REQUESTS_PER_KEY_MAX = REQUESTS_UNDER_WAY_MAX * KEYS_SHARE;
export const BODY_BYTES_PER_KEY_MAX = BODY_BYTES_UNDER_WAY_MAX * KEYS_SHARE;
export const AWARDS_PER_KEY_MAX = AWARDS_WAITING_MAX * KEYS_SHARE;

/** A body of this size is parsed in well under a millisecond. Larger ones of one key are parsed one after another. */
export const BODY_BYTES_SMALL = 16 * 1024;
/** A list of this length costs little more than an award. Longer ones of one key are made one after another. */
export const ROWS_SMALL = 20;
/**
 * After large work, a key pauses for this multiple of the time that it took: its large bodies take at most a quarter of
 * the process's time, and so do its lists and names together.
 */
export const RESTS_PER_TURN = 3;
/** Work that takes long waits for MongoDB most of the time: the key must not wait for it three times more. */
export const REST_MS_MAX = 250;
