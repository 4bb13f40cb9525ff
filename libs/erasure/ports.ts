// What erasing a member needs from the outside. Every function may be repeated, and be run by several processes at the
// same time.
import type { Actor } from "#domain/audit.ts";
import type { MemberId, MemberRef } from "#domain/member-id.ts";
import type { ForgetHours } from "#activity/ports.ts";
import type { EraseRoleSyncs } from "#delivery/role-sync-ports.ts";
import type { EraseStandings } from "#boards/ports.ts";
import type { EventChain, EventErasure } from "#events/ports.ts";
import type { NameErasure } from "#names/ports.ts";

/** `clanId` null means every clan. */
export type ErasureTarget = { clanId: string | null; platformId: string };
/** How much was erased, by kind. The record counts it in the transactions that erase. */
export type ErasureCounts = Readonly<Record<string, number>>;
export type Erasure = ErasureTarget & { erasureId: string };
/** `waiting`: no process has begun yet. */
export type ErasureState = { clanId: string | null; state: "waiting" | "running" | "done"; counts: ErasureCounts };
/** `held`: requests of Roblox that wait for a person. */
export type UnfinishedErasures = { count: number; oldestCreatedAt: Date | null; held: number };

/** The record of each erasure, which names the member only until it is finished. Throws AppError `unavailable`. */
export type ErasureStore = {
  /**
   * Records that the target is to be erased. It replaces unfinished erasures of that target and continues their counts.
   * `worker`: the next worker that looks for erasures runs it, without waiting whether the caller does. Nothing happens
   * if it has begun.
   */
  begin(erasure: Erasure, by: Actor, ranBy?: "caller" | "worker"): Promise<void>;
  /** Records that a process is working on it. */
  noteAlive(erasureId: string): Promise<void>;
  /**
   * The oldest unfinished erasure that no process has worked on for this long. From now on the caller counts as working
   * on it, so no other worker gets the same one.
   */
  claimSilent(silentMs: number): Promise<Erasure | null>;
  /**
   * Finishes it if it has fenced the member in no other clans than these; a fence elsewhere would not be deleted any
   * more. Returns its counts, or the erasure that has replaced it, and in `next` what is unfinished.
   */
  finish(erasure: Erasure, clans: readonly string[]): Promise<{ counts: ErasureCounts; next: Erasure | null }>;
  /** The clan of the erasure, and its state, or that of the one that has replaced it; null if there is none. */
  read(erasureId: string): Promise<ErasureState | null>;
  unfinished(): Promise<UnfinishedErasures>;
};

/** The member's entries and document in one clan. */
export type ChainErasure = {
  /** Closes the chain by an entry, once per erasure. From then on, no process decides on the member's head. */
  fence(erasureId: string, member: MemberRef): Promise<void>;
  /** Marks every entry before the fence. From then on, no process decides on a head that it reads from them. */
  mark(erasureId: string, member: MemberRef): Promise<void>;
  /** Deletes what the erasure has fenced, the fence last. Without a fence, nothing is deleted. */
  erase(erasureId: string, member: MemberRef): Promise<void>;
  /** Deletes entries that were written after the erasure and belong to no chain. */
  eraseRemaining(erasureId: string, member: MemberRef): Promise<void>;
  /** The clans that the erasure has fenced the member in. */
  fencedClans(erasureId: string): Promise<string[]>;
};

/** The work of the workers: batches or reversals. Throws AppError `unavailable`. */
export type Redaction = {
  /**
   * Removes the member from every record, and from the remaining work of unfinished ones. Returns how many documents
   * were changed or deleted. Changes nothing once the erasure is finished, however late it is executed.
   */
  redact(erasure: Erasure): Promise<number>;
  /** Whether a run may have read its record before the removal, and has not read it since. */
  hasRunning(target: ErasureTarget): Promise<boolean>;
};

/**
 * Lets workers look again at requests of Roblox that are held and name the target: those of whom nothing is stored any
 * more are done.
 */
export type RecheckRequests = (target: ErasureTarget) => Promise<void>;

export type ErasureParts = {
  erasures: ErasureStore;
  chain: ChainErasure;
  batches: Redaction;
  reversals: Redaction;
  events: EventChain & EventErasure;
  forgetHours: ForgetHours;
  names: NameErasure;
  eraseRoleSyncs: EraseRoleSyncs;
  eraseStandings: EraseStandings;
  recheckRequests: RecheckRequests;
};

/** `finishedAt`: when nothing of the clan was left. */
export type ClanDeletion = { clanId: string; finishedAt: Date | null };

/** The records of clans that are being deleted, or were. Throws AppError `unavailable`. */
export type ClanDeletions = {
  /**
   * Ends the clan, its keys and all roles in it immediately, and records that its data is to be deleted. `unfinished`: this
   * has been done, and data is left. `no_clan`: there is none, or it was deleted. Throws AppError `outcome_unknown`, too.
   */
  begin(clanId: string, by: Actor): Promise<"begun" | "unfinished" | "no_clan">;
  read(clanId: string): Promise<ClanDeletion | null>;
  /** Records that a process is working on it. */
  noteAlive(clanId: string): Promise<void>;
  /**
   * The oldest one that no process has worked on for `silentMs`, and that is not finished, or was `lateMs` ago and has
   * not been closed. From now on the caller counts as working on it.
   */
  claimDue(due: { silentMs: number; lateMs: number }): Promise<ClanDeletion | null>;
  /** Records the number of members, unless it is recorded. */
  noteMembers(clanId: string, members: number): Promise<void>;
  /** Returns the recorded number of members. */
  finish(clanId: string): Promise<number>;
  /** Nothing will be searched for any more. The record stays, without ids of keys and destinations. */
  close(clanId: string): Promise<void>;
};

/** Everything that is stored of a clan whose deletion has begun, except its record. Throws AppError `unavailable`. */
export type ClanData = {
  countMembers(clanId: string): Promise<number>;
  /** The number of documents, for a display of progress. */
  size(clanId: string): Promise<number>;
  /** Deletes it, some documents at a time; `members`: those whose data was among them. */
  deleteData(clanId: string): AsyncIterable<{ documents: number; members: readonly MemberId[] }>;
};
