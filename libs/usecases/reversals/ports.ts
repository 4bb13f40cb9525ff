// What the use cases of reversals need from the store, as types (see ports.ts).
import type { Actor } from "#domain/audit.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Reversal, ReversalCounts, Selection } from "#domain/reversal.ts";

/** What a retry needs. It is kept longer than the rest of the record. */
export type BoundReversal = Pick<Reversal, "reversalId" | "state" | "fingerprint">;

export type ReversalStore = {
  /**
   * `bound`: the idempotency key already names this reversal, and nothing was written. `by`: who leaves an audit record
   * with it.
   */
  insert(
    reversal: Reversal,
    by: Actor | null,
  ): Promise<{ kind: "inserted" } | { kind: "bound"; reversal: BoundReversal }>;
  /** Null also when the record is older than it is kept. */
  read(reversalId: string): Promise<Reversal | null>;
  findByKey(key: { clanId: string; idempotencyKey: string }): Promise<BoundReversal | null>;
  /** Records that a reversal runs, unless it ran before; returns its record. */
  start(reversalId: string, at: Date): Promise<Reversal | null>;
  /**
   * Adds a step that began at the record's position: its counts, and where the next one begins (null: it was the last).
   * Changes nothing (`added` false) where another worker has added that step. Returns the record as it is then; null
   * when it was lost.
   */
  advance(
    reversal: Reversal,
    step: ReversalCounts & { next: number | null; at: Date },
  ): Promise<{ added: boolean; reversal: Reversal | null }>;
  /**
   * Deletes records that were done before that time, at most `limit`, but for what a retry needs; returns how many it
   * dealt with.
   */
  forgetDone(options: { before: Date; limit: number }): Promise<number>;
  /** How many are not done: in all clans, and in this one. */
  countUnfinished(clanId: string): Promise<{ all: number; ofClan: number }>;
};

/** An award that is selected, as far as it matters here. */
export type SelectedAward = { platformId: string; seq: number; key: string; applied: bigint };

/** The ledger as corrections look for awards in it. Everything it answers is held by a majority. */
export type AwardSelection = {
  /**
   * The awards of one step that begins at `position`, newest first, and where the next one begins; null: there is none.
   */
  read(selection: Selection, position: number): Promise<{ awards: SelectedAward[]; next: number | null }>;
  /** When the newest of the clan's entries was applied, by the clock of the process that did. */
  newestAt(clanId: string): Promise<Date | null>;
  /** The number of the member's newest entry; 0: it has none. */
  newestSeq(member: MemberRef): Promise<number>;
};

/** An entry's public name, from its number. */
export type AwardIdOf = (entry: MemberRef & { seq: number }) => string;
