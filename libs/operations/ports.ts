// What reconcile and the doctor need from the outside.
import type { Batch } from "#domain/batch.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Backlog } from "#batches/ports.ts";

/**
 * A member and an entry as stored. A number that is not an integer reads as null: only a manual edit can have written
 * it.
 */
export type SnapshotMember = {
  platformId: string;
  xp: bigint | null;
  seq: number;
  isMember: boolean;
  /** Whether its fields agree with its id. */ wellFiled: boolean;
};
export type SnapshotEntry = {
  clanId: string;
  platformId: string;
  seq: number;
  key: string;
  /** Null for an award. */
  kind: string | null;
  amount: bigint | null;
  applied: bigint | null;
  xp: bigint | null;
  rank: string;
  /** Only for a reversal: the number of the entry that it takes back. */
  reversesSeq: number | null;
  membershipCreated: boolean;
  membershipEnded: boolean;
  batchId: string | null;
  /** It replaces an award that was cancelled, so that the award can no longer be applied. */
  isCancellation: boolean;
  /** It closes the chain of a member that is being erased. */
  isErasing: boolean;
  at: Date;
};

/** All stored data as of one snapshot, in streams whose memory does not grow with the data. `from` is inclusive. */
export type ReconcileSnapshot = {
  hasClan(clanId: string): Promise<boolean>;
  /** Whether a member is being erased. */
  isErasing(): Promise<boolean>;
  /** The clans that are being deleted: some of their data is missing. */
  deletedClans(): Promise<ReadonlySet<string>>;
  /** By platformId. */
  members(clanId: string, from: string): AsyncIterable<SnapshotMember>;
  /** By platformId, then seq. */
  entries(clanId: string, from: string): AsyncIterable<SnapshotEntry>;
  /** By batchId. `clanId` null means all clans. */
  batches(clanId: string | null, from: string): AsyncIterable<Batch>;
  /** The member's entries that have one of these numbers or one of these keys. */
  entriesAmong(member: MemberRef, by: { seqs: readonly number[]; keys: readonly string[] }): Promise<SnapshotEntry[]>;
  /** Entries that name a batch, by batchId. */
  batchEntries(clanId: string | null, from: string): AsyncIterable<SnapshotEntry>;
};
/** Entries of a member that have the same key, by their numbers. */
export type RepeatedKey = MemberRef & { seqs: readonly number[] };

export type ReconcileStore = {
  /** The first ones; none, without a search, while an index prevents them. */
  repeatedKeys(clanId: string | null): Promise<readonly RepeatedKey[]>;
  /** The next clan id in any clan, member or entry. */
  nextClanId(after: string): Promise<string | null>;
  /** The largest batch id in any record or entry at the time of the call. */
  lastBatchId(): Promise<string | null>;
  /** The approximate numbers of members, entries and batches. */
  size(clanId: string | null): Promise<number>;
  /** Runs `read` on a snapshot, and again on a newer one if MongoDB dropped it. Throws AppError `unavailable`. */
  withSnapshot<T>(read: (snapshot: ReconcileSnapshot) => Promise<T>): Promise<T>;
};

/** A count in MongoDB that only rises, unless a backup is restored. Throws AppError `unavailable`, `outcome_unknown`. */
export type ContinuityStore = {
  /** As a majority has stored it. */
  count(): Promise<number>;
  /** Raises it above itself and above `above`, and returns it. `restored`: records that a backup was restored. */
  raise(above: number, restored: boolean): Promise<number>;
  /** When it was last recorded that a backup was restored; null: never. */
  restoredAt(): Promise<Date | null>;
  /** Whether a backup was restored, and not all sessions were ended since. */
  sessionsOutliveRestore(): Promise<boolean>;
};
/** The newest such count, outside of MongoDB; 0 if none is known. */
export type NewestCount = { read(): Promise<number>; write(count: number): Promise<void> };

/** Why a server that responds cannot do its work, and what to do about it. */
export type ServerFault = { detail: string; fix: string };
/** What the servers report about themselves. */
export type IndexFacts = {
  collection: string;
  missing: readonly MissingIndex[];
  /** Names of indexes that are neither declared nor in the way of a declared one. */
  unexpected: readonly string[];
};
/**
 * An index that does not exist as declared. It cannot be built while other indexes are in its way (their names), or, if
 * it is unique, while several documents have the same values.
 */
export type MissingIndex = { fields: string; inTheWay: readonly string[]; hasDuplicates: boolean | null };
/** The fields that a collection is sharded by, in order, each with 1 or "hashed". */
export type ShardKey = { collection: string; fields: Readonly<Record<string, unknown>> };
/** Ages are milliseconds, by MongoDB's clock. */
export type DestinationFacts = {
  /** The secrets of each destination, encrypted. */
  sealed: readonly { destinationId: string; sealed: string }[];
  /** Since the last sign of a notifier; null: there is none. */
  notifierSilentMs: number | null;
  /** Of the oldest event that an active destination has not been sent; null: none. */
  oldestEventMs: number | null;
};
export type MongoFacts = {
  version: string;
  /** The name of the replica set; of a router, that it is one. */
  replicaSet: string;
  /** Why it cannot hold the database. */
  replicaSetFault: ServerFault | null;
  /** Of all sharded collections. Null: the server is no router. */
  shardKeys: readonly ShardKey[] | "unreported" | null;
  /** Options of MONGO_URL that are ignored. */
  ignoredOptions: readonly string[];
  /** Why a majority did not confirm a write; null if it did. */
  majorityFault: string | null;
  /** Null if the server does not report it. */
  transactionLifetimeS: number | null;
  indexes: readonly IndexFacts[];
  /** Some of the members with entries under one key; null if the search took too long. */
  repeatedKeys: readonly RepeatedKey[] | null;
  /** The server's clock minus the clock of this process. */
  aheadMs: number;
  backlog: Backlog;
  /** A backup was restored, and not all sessions were ended since. */
  sessionsOutliveRestore: boolean;
  destinations: DestinationFacts;
};
/** `bytes`: on MongoDB's disk, indexes included. */
export type CollectionSize = { collection: string; documents: number; bytes: number };
/** Null: the server does not report it. */
export type RedisFacts = {
  version: string | null;
  /** Null: it is no Valkey. A Valkey also reports the version of Redis that it is compatible with. */
  valkeyVersion: string | null;
  /** Options of REDIS_URL that are ignored. */
  ignoredOptions: readonly string[];
  /** Why it cannot do its work. */
  fault: ServerFault | null;
  evictionPolicy: string | null;
  /** Used memory as a share of its maximum, 0 to 1; null also without a maximum. */
  memoryUsed: number | null;
  appendOnly: boolean | null;
  /** Its clock minus the clock of this process. */
  aheadMs: number | null;
  queue: { paused: boolean; failed: number } | null;
};
