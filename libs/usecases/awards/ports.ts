// What committing awards needs from the outside: the ledger, its epoch, and the members' lock.
import type { Award, Entry } from "#domain/award.ts";
import type { MemberId, MemberRef } from "#domain/member-id.ts";
import type { Head } from "#domain/member.ts";

/**
 * What is known of a commit that did not succeed as a whole. Its first `stored` entries are committed, journaled by a
 * majority, and nothing behind them was written.
 *
 * `conflict`: the entry at `stored` lost a race, or its key exists; reads from now on see what it conflicted with.
 * `rejected`: MongoDB will never store it; `alone`: the entry at `stored` is the one to blame. `unavailable`: MongoDB
 * cannot be reached. `unknown`: any of the entries may have been written, or may be written yet.
 */
export type CommitFailure =
  | { kind: "conflict"; stored: number; cause: unknown }
  | { kind: "rejected"; stored: number; alone: boolean; cause: unknown }
  | { kind: "unavailable"; stored: number; cause: unknown }
  | { kind: "unknown"; cause: unknown };
export type CommitResult = { kind: "committed" } | CommitFailure;

export type Heads = ReadonlyMap<MemberId, Head>;
export type Entries = ReadonlyMap<MemberId, ReadonlyMap<string, Entry>>;

/**
 * Entries and heads. Reads see what a majority holds, unless they say otherwise; they throw AppError `unavailable` when
 * MongoDB cannot answer.
 */
export type AwardStore = {
  /** The newest heads of those that have one. */
  readHeads(members: readonly MemberRef[]): Promise<Heads>;
  /** The same, where heads are known that are at most too old. */
  advanceHeads(known: Heads): Promise<Heads>;
  /** The heads after exactly these entries; those that do not exist, or do not tell a whole head, are left out. */
  readHeadsAt(seqs: ReadonlyMap<MemberId, number>): Promise<Heads>;
  /** The entries under these awards' keys, by member and key. `local`: also those that a majority does not hold yet. */
  readEntries(awards: readonly Award[], options?: { local?: boolean }): Promise<Entries>;
  /** One ordered insert. Each member's entries must be in order and together. */
  commit(entries: readonly Entry[]): Promise<CommitResult>;
  /** Brings the projected heads forward to these, never back. */
  project(heads: Heads): Promise<void>;
};

/**
 * Which ledger this is: another epoch after a restore, an erasure or the start of a process. What is remembered belongs
 * to one epoch.
 */
export type EpochStore = {
  read(): Promise<string>;
  draw(): Promise<void>;
  /** Draws one, unless that was done within the last minute. */
  renew(now: Date): Promise<void>;
};

/** Never throws: no Redis means no lock, which costs speed and nothing else. */
export type MemberLock = { acquire(members: readonly MemberId[]): Promise<HeldLocks> };
export type HeldLocks = {
  granted: ReadonlySet<MemberId>;
  /** The `seq` at which each member was last released. A hint: it may be missing, or wrong. */
  seqs: ReadonlyMap<MemberId, number>;
  /** `seqs`: of heads that a majority holds; the number of a member that is not among them is deleted. */
  release(seqs: ReadonlyMap<MemberId, number>): void;
};
