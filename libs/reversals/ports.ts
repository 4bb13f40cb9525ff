// What the use cases of reversals need from the store, as types (see ports.ts).
import type { Actor } from "#domain/audit.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Correction, ResetSelection, ResetState } from "#domain/reset.ts";
import type { Position, Reversal, ReversalCounts, Selection } from "#domain/reversal.ts";

/** What a retry needs. It is stored longer than the rest of the record. */
export type BoundReversal = Pick<Reversal, "reversalId" | "state" | "fingerprint">;

export type ReversalStore = RunStore & {
  /**
   * `bound`: the idempotency key already names this reversal, and nothing was written. `by`: the person whose audit
   * record is written with it.
   */
  insert(
    reversal: Reversal,
    by: Actor | null,
  ): Promise<{ kind: "inserted" } | { kind: "bound"; reversal: BoundReversal }>;
  /** Null also if the record was deleted by age. */
  read(reversalId: string): Promise<Reversal | null>;
  findByKey(key: { clanId: string; idempotencyKey: string }): Promise<BoundReversal | null>;
  /**
   * Deletes records of reversals that have been done for this long, at most `limit`, except for what a retry needs.
   * Returns how many it changed. Only MongoDB's clock decides.
   */
  deleteDetails(options: { olderThanMs: number; limit: number }): Promise<number>;
  /** How many are not done, in all clans and in this one, without resets that wait for their time. */
  countUnfinished(clanId: string): Promise<{ all: number; ofClan: number }>;
  countAllUnfinished(): Promise<number>;
};

/** The runs of reversals and of resets. */
export type RunStore = {
  readRun(reversalId: string): Promise<Correction | null>;
  /** Records that it is running, unless it has run before, and returns its record. */
  start(reversalId: string, at: Date): Promise<Correction | null>;
  /** Records that it waits again, if no attempt of it has begun and no step was added. */
  putBack(reversalId: string): Promise<void>;
  /**
   * Begins an attempt at the step at the record's position, and returns the record of that attempt. Null if another
   * attempt has begun, or the step was added, since the record was read.
   */
  begin(correction: Correction): Promise<Correction | null>;
  /**
   * Adds the step at the record's position: its counts, and where the next step begins (null: it was the last). Changes
   * nothing (`added` false) if another attempt has begun, or the step was added, since the record was read. Returns the
   * resulting record; null if it was lost.
   */
  advance(
    correction: Correction,
    step: ReversalCounts & { next: Position | null },
  ): Promise<{ added: boolean; correction: Correction | null }>;
};

/**
 * A selected award, reduced to what a reversal needs. For a reset, what a member loses instead (`applied`), with the
 * number of their newest entry and their present XP. `giver`: the person who made it in the dashboard, if somebody did.
 */
export type SelectedAward = {
  platformId: string;
  seq: number;
  key: string;
  applied: bigint;
  xp?: bigint;
  giver?: string | null;
};

/** An entry of a known clan. */
export type EntryRef = Pick<SelectedAward, "platformId" | "seq">;

/** Reads awards of the ledger for corrections. All results are stored by a majority. */
export type AwardSelection = {
  /**
   * The awards of one step that begins at `position`, newest first, and where the next step begins; null if there is
   * none. Of a reset, the members who lose something, by platformId. `entriesMax`: the step reads fewer entries than usual.
   *
   * `after`: the step has more entries than one read returns, and the next read of the same step begins after this one.
   */
  read(
    selection: Selection | ResetSelection,
    position: Position,
    options?: { entriesMax?: number | undefined; after?: EntryRef | undefined },
  ): Promise<{ awards: SelectedAward[]; next: Position | null; after?: EntryRef }>;
  /** Whether another reset of the clan runs, or an earlier one waits for a worker. */
  isResetBlocked(reset: { clanId: string; resetId: string }): Promise<boolean>;
  /** The state of a reset of this clan; null if there is none. */
  resetState(reset: { clanId: string; resetId: string }): Promise<ResetState | null>;
  /** When the newest of the clan's entries was applied, by the clock of the process that applied it. */
  newestAt(clanId: string): Promise<Date | null>;
  /** The number of the member's newest entry; 0 if it has none. */
  newestSeq(member: MemberRef): Promise<number>;
  /** Whether the clan has fewer than this many entries in the time span; it counts no further. */
  hasFewer(span: { clanId: string; from: Date; until: Date }, entries: number): Promise<boolean>;
};

/** An entry's public id, from its number. */
export type AwardIdOf = (entry: MemberRef & { seq: number }) => string;
