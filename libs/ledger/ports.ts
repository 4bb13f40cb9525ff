// What committing awards needs from the outside: the ledger, its epoch, and the members' lock.
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import type { MemberId, MemberRef } from "#domain/member-id.ts";
import type { Head } from "#domain/head.ts";

/**
 * What is known of a commit that did not succeed completely. Its first `stored` entries are committed and journaled by
 * a majority, and no later entry was written.
 *
 * `conflict`: the entry at `stored` lost a race for its `seq`, or its `key` exists; later reads see the entry that it
 * conflicted with.
 * `rejected`: MongoDB will never store it; `alone`: the entry at `stored` caused the rejection. `unavailable`: MongoDB
 * is unreachable. `unknown`: any of the entries may have been written or may still be written.
 */
export type CommitFailure =
  | { kind: "conflict"; over: "seq" | "key"; stored: number; cause: unknown }
  | { kind: "rejected"; stored: number; alone: boolean; cause: unknown }
  | { kind: "unavailable"; stored: number; cause: unknown }
  | { kind: "unknown"; cause: unknown };
export type CommitResult = { kind: "committed" } | CommitFailure;

export type Heads = ReadonlyMap<MemberId, Head>;
export type Entries = ReadonlyMap<MemberId, ReadonlyMap<string, Entry>>;

/**
 * Entries and heads. Reads return what a majority has stored, unless stated otherwise. They throw AppError
 * `unavailable` if MongoDB cannot respond.
 */
export type AwardStore = {
  /** The newest heads of the members that have one. */
  readHeads(members: readonly MemberRef[]): Promise<Heads>;
  /** The same, given known heads that may be outdated but are never ahead of the ledger. */
  advanceHeads(known: Heads): Promise<Heads>;
  /** The heads after exactly these entries. Entries that do not exist or do not contain a whole head are left out. */
  readHeadsAt(seqs: ReadonlyMap<MemberId, number>): Promise<Heads>;
  /**
   * The entries under these awards' keys, by member and key. `local` includes entries that no majority has stored yet.
   */
  readEntries(awards: readonly Award[], options?: { local?: boolean }): Promise<Entries>;
  /** One ordered insert. Each member's entries must be in order and adjacent. */
  commit(entries: readonly Entry[]): Promise<CommitResult>;
  /**
   * Updates the projected heads that exist to these, never to older ones. Returns those that may not exist, for
   * `project`.
   */
  projectExisting(heads: Heads): Promise<Heads>;
  /** Creates the projected heads, or updates them to these, never to older ones. */
  project(heads: Heads): Promise<void>;
};

export type EpochId = string;

/**
 * Identifies the state of the ledger. A starting process and an erasure draw a new epoch, and no head that was cached
 * in an earlier one may be used. Workers renew the epoch every minute, so that a restore while processes run is
 * noticed: the restored database has an epoch from before its backup. `renews`: the epoch that this one renews, whose
 * heads may be used once a read has confirmed them.
 */
export type Epoch = { id: EpochId; renews: EpochId | null };

export type EpochStore = {
  read(): Promise<Epoch>;
  draw(): Promise<void>;
  /** Renews the epoch, unless it was drawn or renewed within the last minute, by MongoDB's clock. */
  renew(): Promise<void>;
};

/** Never throws: without Redis there is no lock, which only costs speed. */
export type MemberLock = {
  acquire(members: readonly MemberId[]): Promise<HeldLocks>;
  /** Stores the numbers of members that were awarded without a lock, from heads that a majority has stored. */
  publish(seqs: ReadonlyMap<MemberId, number>): void;
};
export type HeldLocks = {
  granted: ReadonlySet<MemberId>;
  /** The `seq` at which each member was last released. A hint: it may be missing or wrong. */
  seqs: ReadonlyMap<MemberId, number>;
  /** `seqs`: from heads that a majority has stored. The number of a released member that is missing here is deleted. */
  release(seqs: ReadonlyMap<MemberId, number>): void;
};
