// How much one API process accepts, each with its reason. Beyond a bound it answers `busy` immediately, so memory stays flat.

/** A connection costs about 20 KiB; game servers keep one or two each. More callers than this want more processes. */
export const CONNECTIONS_MAX = 5_000;
/** Half a second of work at full speed, and no fewer than connections: who sends one request at a time is never refused for others' haste. */
export const REQUESTS_UNDER_WAY_MAX = 5_000;
/** Bodies of requests under way, 256 of the largest: what they are parsed into fits beside it in a heap of 256 MiB. */
export const BODY_BYTES_UNDER_WAY_MAX = 64 * 1024 * 1024;
