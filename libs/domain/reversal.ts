// A reversal as it is kept: which awards are to be taken back, and how far that has got. States: queued → running →
// done, never back.
//
// Invariant: `position` and the counts change together, and only from the position that the change was made for. So a
// step that is run again, after a crash or by two workers at once, is counted once.

/** Which awards, as the caller put it. Times are RFC 3339; `from` is inclusive, `to` exclusive. */
export type ReversalBy =
  | { platformId: string; awardId: string }
  | { batchId: string }
  | { keyId: string; from: string; to?: string }
  | { matchId: string; from?: string; to?: string }
  | { platformId: string; from: string; to?: string };

export type ReversalState = "queued" | "running" | "done";

/**
 * The same, as it is looked for in the ledger. `seq`: the number of the award's entry; with `awardId`, of the member's
 * newest one, at or below which the award with this id is looked for.
 */
export type Selection = { clanId: string } & (
  | { kind: "award"; platformId: string; seq: number; awardId?: string }
  | { kind: "batch"; batchId: string }
  | { kind: "key"; keyId: string; from: Date; until: Date }
  | { kind: "match"; matchId: string; from: Date; until: Date }
  | { kind: "member"; platformId: string; from: Date; until: Date }
);

/**
 * Above every position: awards are selected newest first, so that a member's XP goes back the way it came, clear of
 * floor and cap.
 */
export const SELECTION_START = Number.MAX_SAFE_INTEGER;

export type ReversalCounts = { selected: number; reversed: number; skipped: number };

export type Reversal = ReversalCounts & {
  reversalId: string;
  clanId: string;
  /** The id of the API key that asked for it; `cli` or `dashboard` where a person did, whom the audit log names. */
  apiKeyId: string;
  idempotencyKey: string | null;
  fingerprint: string;
  by: ReversalBy;
  reason: string | null;
  /** Fixed when the reversal is accepted, so that every step looks for the same awards. */
  selection: Selection;
  state: ReversalState;
  /** Where the next step begins, from SELECTION_START on; what it means is the selection's matter. */
  position: number;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};
