// What erasing a member needs from the outside. Every part may be repeated, and be done by several processes at once.
import type { Actor } from "#domain/audit.ts";
import type { MemberRef } from "#domain/member-id.ts";

/** `clanId` null: in every clan. */
export type ErasureTarget = { clanId: string | null; platformId: string };
/** How much was erased, by what it was. The record counts it in the transactions that erase. */
export type ErasureCounts = Readonly<Record<string, number>>;
export type Erasure = ErasureTarget & { erasureId: string };
export type UnfinishedErasures = { oldestCreatedAt: Date | null };

/** The record of each erasure, which names the member only until it is finished. Throws AppError `unavailable`. */
export type ErasureStore = {
  /**
   * Records that the target is to be erased. It takes the place of unfinished erasures of that target, and goes on with
   * their counts.
   */
  begin(erasure: Erasure, by: Actor): Promise<void>;
  /** Somebody works on it. */
  noteAlive(erasureId: string): Promise<void>;
  /** Unfinished ones that nobody has worked on for so long, oldest first. */
  listSilent(silentMs: number): Promise<Erasure[]>;
  /**
   * Ends it where it has fenced the member in no other clans than these: nobody would delete that fence. Returns what
   * it has counted, or the erasure that has taken its place, and in `next` what of the two is unfinished.
   */
  finish(erasure: Erasure, clans: readonly string[]): Promise<{ counts: ErasureCounts; next: Erasure | null }>;
  unfinished(): Promise<UnfinishedErasures>;
};

/** The member's entries and document in one clan. */
export type ChainErasure = {
  /** Closes the chain by an entry, once in an erasure: from then on nothing is decided on the member's head. */
  fence(erasureId: string, member: MemberRef): Promise<void>;
  /** Deletes what the erasure has fenced, the fence last. Nothing is fenced: nothing is deleted. */
  erase(erasureId: string, member: MemberRef): Promise<void>;
  /** Deletes what came behind the erasure and belongs to no chain. */
  eraseStray(erasureId: string, member: MemberRef): Promise<void>;
  /** The clans that the erasure has fenced the member in. */
  fencedClans(erasureId: string): Promise<string[]>;
};

/** What workers run: batches, or reversals. Throws AppError `unavailable`. */
export type Redaction = {
  /**
   * Takes the member out of every record, and out of what unfinished ones have still to do. Returns how many documents
   * were changed or deleted. Changes nothing once the erasure is finished, however late it is executed.
   */
  redact(erasure: Erasure): Promise<number>;
  /** Some run may have read what was taken out of its record, and has not read the record since. */
  hasRunning(target: ErasureTarget): Promise<boolean>;
};

export type ErasureParts = {
  erasures: ErasureStore;
  chain: ChainErasure;
  batches: Redaction;
  reversals: Redaction;
};
