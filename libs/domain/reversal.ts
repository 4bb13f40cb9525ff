// A reversal as it is stored: which awards are to be taken back, and its progress. States: queued → running → done,
// never back.
//
// Invariant: a step is counted once, and only by the attempt that began it last. An attempt reads the awards of its
// step before it begins, so the last one has read what all others may have reversed. The counts are therefore those of
// the ledger, also after a crash or with two workers at the same time.

/** The selection as the caller sent it. Times are RFC 3339; `from` is inclusive, `to` exclusive. */
export type ReversalBy =
  | { platformId: string; awardId: string }
  | { batchId: string }
  | { keyId: string; from: string; to?: string }
  | { matchId: string; from?: string; to?: string }
  | { platformId: string; from: string; to?: string };

export type ReversalState = "queued" | "running" | "done";

/**
 * The selection as it is searched for in the ledger. `seq`: the number of the award's entry. With `awardId`: the number
 * of the member's newest entry, at or below which the award with this id is searched for. `byTime`: the clan has fewer
 * entries in the time span than the member has in all.
 */
export type Selection = { clanId: string } & (
  | { kind: "award"; platformId: string; seq: number; awardId?: string }
  | { kind: "batch"; batchId: string }
  | { kind: "key"; keyId: string; from: Date; until: Date }
  | { kind: "match"; matchId: string; from: Date; until: Date }
  | { kind: "member"; platformId: string; from: Date; until: Date; byTime?: boolean }
);

/**
 * Above every position: awards are selected newest first, so that a member's XP passes through its earlier values again
 * and does not reach the floor or the cap.
 */
export const SELECTION_START = Number.MAX_SAFE_INTEGER;

export type ReversalCounts = { selected: number; reversed: number; skipped: number };

export type Reversal = ReversalCounts & {
  reversalId: string;
  clanId: string;
  /** The id of the API key that requested it; `cli` or `dashboard` if a person did. */
  apiKeyId: string;
  /** The person who requested it; null if an API key did. */
  actor: string | null;
  idempotencyKey: string | null;
  fingerprint: string;
  by: ReversalBy;
  reason: string | null;
  /** Fixed when the reversal is accepted, so that every step searches for the same awards. */
  selection: Selection;
  state: ReversalState;
  /** Where the next step begins, from SELECTION_START on. Only the selection interprets it. */
  position: number;
  /** Increases with each attempt at a step; 0 if none has begun. */
  attempt: number;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};
