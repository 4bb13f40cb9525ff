// Bounds of the access to MongoDB, each with its reason.

/**
 * How long an operation waits for a primary: an election in a replica set takes 1-2 s, a restart of a single node about
 * as long.
 */
export const SERVER_SELECTION_MS = 4_000;
/** A socket without traffic for this long is closed: after an award's deadline no caller waits for it. */
export const SOCKET_SILENCE_MS = 12_000;
export const CONNECT_MS = 3_000;
/**
 * Two commit groups, their concurrent reads, and the dashboard's queries: more connections would only queue inside
 * mongod.
 */
export const POOL_SIZE_MAX = 20;
/** How long an operation waits for a connection of the pool. */
export const POOL_WAIT_MS = 4_000;
/** Pause between attempts to reach MongoDB at start-up. */
export const RECONNECT_PAUSE_MS = 500;
/** A read, or a write of a batch's record, that takes longer is useless: callers wait for 10 s. */
export const ANSWER_MS_MAX = 8_000;
/** Longer than the sum of the limits above. If the driver has not ended an operation after this time, it never will. */
export const LOST_MS = SERVER_SELECTION_MS + POOL_WAIT_MS + SOCKET_SILENCE_MS;
/**
 * How many entries of a member are searched for in one read if its document is behind, and how many entries in total:
 * 600 KB of ids.
 */
export const SEQS_PER_READ_MAX = 512;
/**
 * Members that are far behind and whose newest entry is looked up individually, instead of reading all entries in
 * between.
 */
export const NEWEST_READS_MAX = 16;
export const IDS_PER_READ_MAX = 10_000;
/**
 * How long to wait until a majority has stored the record with the same key: this takes milliseconds, unless nodes are
 * down.
 */
export const BOUND_PAUSE_MS = 20;
export const BOUND_TRIES_MAX = 100;
/** A MongoDB that has not replied to hello within this time counts as unreachable. */
export const PING_MS = 1_000;

/**
 * Documents that a stream of reconcile fetches in one read: some hundreds more would only use memory. Records of
 * batches are large.
 */
export const RECONCILE_ITEMS_PER_READ = 1_000;
export const RECONCILE_BATCHES_PER_READ = 50;
/**
 * How often a snapshot is replaced by a newer one before reconcile fails: an index build ends a snapshot, and so does
 * an election.
 */
export const SNAPSHOT_TRIES_MAX = 5;
/** Members with entries under one key that one search returns: as many as reconcile reports differences. */
export const REPEATED_KEYS_MAX = 1_000;
/** How long the doctor searches for them, which reads the whole ledger: some million entries. */
export const REPEATED_KEYS_MS_MAX = 10_000;
/** How long the doctor waits for a majority: a healthy one responds in milliseconds. */
export const MAJORITY_PROBE_MS = 2_000;
/** How long the doctor looks for equal values where a unique index is missing: about a million documents. */
export const DUPLICATE_SCAN_MS = 5_000;
/** Ids of entries in one reply, and members that are passed on together: some hundred kilobytes. */
export const ENTRIES_PER_READ = 2_000;
/** Clans whose entries are searched for in one read. */
export const CLANS_PER_READ = 100;
/** Maximum time to count the members of a clan: about 5,000,000 of them. */
export const COUNT_MS_MAX = 30_000;
/**
 * Entries that one transaction deletes, and batches that one write redacts: some tens of milliseconds each,
 * concurrently with awards.
 */
export const ENTRIES_PER_ERASURE = 1_000;
export const BATCHES_PER_ERASURE = 500;
export const REVERSALS_PER_ERASURE = 500;
/** Events of which one write deletes the content: the same. */
export const EVENTS_PER_ERASURE = 1_000;
/** Maximum time for MongoDB to aggregate a clan's activity: a page that shows it must not delay awards. */
export const ACTIVITY_MS_MAX = 5_000;
/**
 * Claims per key and day whose ids are stored, so that a second attempt of an award is not rejected because of the
 * first: those of two calls of 50 awards, and some more. Each takes 75 bytes.
 */
export const BUDGET_CLAIMS_MAX = 200;
/** Attempts in the log of a delivery; older ones are dropped. */
export const ATTEMPTS_STORED_MAX = 20;
/** Documents that one command deletes with their clan: some tens of milliseconds, concurrently with awards. */
export const DOCUMENTS_PER_DELETION = 1_000;
/** Events that are looked at to count how far a destination is behind: 0.1 s of MongoDB. */
export const BEHIND_EXAMINED_MAX = 100_000;
/** Members that one search without a dedicated index looks through: 30 ms of MongoDB. */
export const MEMBERS_EXAMINED_MAX = 10_000;
/** Entries that one page of a member's ledger looks through for those of a kind. */
export const ENTRIES_SEARCHED_MAX = 5_000;
/** Standings that one statement deletes: some tens of milliseconds, concurrently with awards. */
export const STANDINGS_PER_DELETION = 1_000;
/** Rows of counted gains in one document: a page of a list reads two of them at most. */
export const GAIN_ROWS_PER_PART = 200;
/** How long a process that crashes holds its right to count gains in a clan. */
export const GAIN_CLAIM_MS = 15_000;
/** How old what the overview shows may be: the longest range and the one before it have 60 days. */
export const ACTIVITY_DAYS = 62;
