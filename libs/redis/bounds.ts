// Time limits for Redis, each with its reason, and how often priority is claimed there.

/** Timeout of Redis commands that a caller waits for. */
export const COMMAND_MS = 1_000;
/**
 * Redis replies in less than 1 ms, on an overloaded machine in about 100. After this time the process uses its share of
 * the rate.
 */
export const RATE_COMMAND_MS = 400;
/** Redis replies in less than 1 ms. After this time the commit group continues without a lock. */
export const LOCK_COMMAND_MS = 250;
export const CONNECT_MS = 3_000;
/** A connection without a reply for this long is replaced: the network may have dropped it without notice. */
export const SILENCE_MS = 3_000;
/** The same for subscribers. */
export const BLOCKING_SILENCE_MS = 15_000;
/** Delays between attempts to reconnect, growing to a maximum. */
export const RECONNECT_MAX_MS = 1_000;

/**
 * A list of members shares the projection of another one that was requested at most this long before, because it may be
 * 1 s behind.
 */
export const PROJECTION_REQUEST_FRESH_MS = 250;
/** Maximum wait of a list for the projection of other processes: a paused one must not block it. */
export const PROJECTION_REQUEST_MS = 2_000;
/**
 * How long the first award of a clan waits until requests for the clan reach the process. Redis replies in less than 1
 * ms, while the award is written. Without it, lists through other processes may be 5 s behind.
 */
export const SUBSCRIBE_MS = 250;
/**
 * More than twice as long as a commit takes. Afterwards, requests for a clan no longer reach the process until its next
 * commit.
 */
export const CLAN_IDLE_MS = 60_000;
/** How often a process checks the connection on which it receives requests. */
export const SUBSCRIPTION_CHECK_MS = 5_000;
/** How often a client of a Cluster asks which node has which slots; an error of a node makes it ask immediately. */
export const TOPOLOGY_REFRESH_MS = 5_000;

/** How often single awards claim priority, and workers look for a claim while they work; and how long it lasts. */
export const CLAIM_EVERY_MS = 500;
export const CLAIM_MS = 2_000;

/** How long checks use the same connection: the time in which a process notices that new connections go elsewhere. */
export const CHECK_CONNECTION_MS = 4_000;
/** A Redis that rejects writes is asked at most this often, and a worker tries to take jobs from it no more often. */
export const CHECK_REJECTED_MS = 1_000;

/**
 * One worker scans for batches without a job. If it crashes, another one scans after this time: with the age at which a
 * batch counts as lost and the interval between scans, such a batch continues within 15 s.
 */
export const SCANNER_CLAIM_MS = 5_000;
/** How often the scanning worker renews its claim, and the others check whether it has expired. */
export const SCANNER_CLAIM_EVERY_MS = 1_250;
