// What the ledger needs from the outside: its store, the epoch, the records of processes, the members' lock, the rules
// of clans, counters and traces.
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import type { MemberId, MemberRef } from "#domain/member-id.ts";
import type { Head } from "#domain/head.ts";
import type { Clan } from "#domain/clan.ts";
import type { Outcome } from "#domain/outcome.ts";

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
export type LedgerStore = {
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

/**
 * Names the state of the ledger. An erasure draws a new epoch, and no head that was cached in an earlier one may be
 * used.
 */
export type EpochStore = {
  read(): Promise<string>;
  draw(): Promise<void>;
};

/** The rules of the clans that exist. Throws AppError `unavailable`. */
export type ClanRules = { getMany(clanIds: Iterable<string>): Promise<ReadonlyMap<string, Clan>> };

/** Never throws: without Redis there is no lock, which only costs speed. */
export type MemberLock = {
  acquire(members: readonly MemberId[]): Promise<HeldLocks>;
};
export type HeldLocks = {
  granted: ReadonlySet<MemberId>;
  /** The `seq` at which each member was last released. A hint: it may be missing or wrong. */
  seqs: ReadonlyMap<MemberId, number>;
  /** `seqs`: from heads that a majority has stored. The number of a released member that is missing here is deleted. */
  release(seqs: ReadonlyMap<MemberId, number>): void;
};

/** Throws AppError `unavailable`. */
export type ClanList = { list(): Promise<readonly Pick<Clan, "clanId">[]> };

export type LedgerChanges = {
  /**
   * The members of these clans with entries since `since`, each at least once, a bounded number at a time. `firstSeq`: the
   * lowest number of those of the member's entries for which it is listed. `rest` is awaited after each read.
   */
  listChanged(
    clanIds: readonly string[],
    since: Date,
    rest?: Rest,
  ): AsyncIterable<(MemberRef & { firstSeq: number })[]>;
};
/** Pauses, as long work does after a read that took so long. */
export type Rest = (tookMs: number) => Promise<void>;

/**
 * How far a process has projected its entries, as recorded at `seenAt` by MongoDB's clock. `processId` names one run of
 * one process.
 */
type ProjectionMark = { processId: string; projectedTo: Date; seenAt: Date };

/** A silent process whose entries one worker projects. */
export type ClaimedProcess = ProjectionMark & { claimedBy: string };

/**
 * The last record of a process. `silentMs`: its age, by MongoDB's clock. `passes`: how often others have projected for
 * it since.
 */
type ProjectionNote = Omit<ProjectionMark, "processId"> & { silentMs: number; passes: number };

/** The records of the processes that commit entries. Throws AppError `unavailable`. */
export type ProcessStore = {
  /**
   * Records that the process is alive, and that its entries from before `projectedTo`, by its own clock, are projected.
   * A note with a lower `number` that MongoDB executes later changes no time. Returns the number that was on record
   * until then, 0 if there was none.
   */
  note(processId: string, mark: { projectedTo: Date; number: number }): Promise<number>;
  /**
   * How often this process has lost its connections to MongoDB. Only then can a MongoDB that was stopped have been
   * restarted with other data.
   */
  interruptions(): number;
  /** The process ended with everything projected. */
  remove(processId: string): Promise<void>;
  /**
   * Claims the process that has been silent for longest, of those whose entries others projected `passes` times since,
   * and that recorded nothing for `silentMs`. A claim expires `forMs` after it was last renewed. Null: there is no such
   * process, or other workers have claimed them all.
   */
  claimSilent(
    due: { silentMs: number; passes: number },
    claim: { by: string; forMs: number },
  ): Promise<ClaimedProcess | null>;
  /** Prolongs the claim. False: the process has recorded something since, or another worker has claimed it. */
  renewClaim(process: ClaimedProcess): Promise<boolean>;
  /** All records. */
  listNotes(): Promise<ProjectionNote[]>;
  /** Records the pass, or removes the record after the `last` one. Changes nothing if the claim was lost. */
  endClaim(process: ClaimedProcess, pass: { last: boolean }): Promise<void>;
};

export type MemberRebuild = {
  /**
   * Sets these members' documents to the state in their entries, even if that is older; returns how many differed.
   * Calls `beforeWrite` between the reads and the writes. Throws AppError `unavailable`, and what `beforeWrite` throws.
   */
  rebuild(members: readonly MemberRef[], beforeWrite: () => Promise<void>): Promise<number>;
};

/**
 * Counts what commits do, for operators: a few plain additions per commit group. Its methods neither wait nor throw.
 */
export type LedgerMeter = {
  /** The outcomes of awards in the committer. */
  settled(decisions: readonly { outcome: Outcome }[]): void;
  group(awards: number): void;
  commit(result: CommitResult["kind"], seconds: number): void;
  /** A commit group requested its locks; other processes held `contended` of them. */
  lock(seconds: number, contended: number): void;
  /** A commit group runs without locks, because Redis grants none. */
  lockSkipped(): void;
  /** The same, because no other process awards the same members. */
  lockNotNeeded(): void;
  /** Heads that commit groups decided on, by their source. */
  heads(source: "cached" | "read" | "validated", heads: number): void;
};

/** A step of a trace; opaque to everything but the tracer. */
export type TraceStep = object;

/** Shows where the time of an award is spent. Parts receive null instead while tracing is off. */
export type Tracer = {
  /** The caller's current step. */
  here(): TraceStep | null;
  /** Runs a commit group as a step of the requests whose awards it contains. */
  group<T>(steps: readonly (TraceStep | null)[], run: () => Promise<T>): Promise<T>;
  commit(run: () => Promise<CommitResult>): Promise<CommitResult>;
};
