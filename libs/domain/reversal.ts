// A reversal as it is stored: which awards are to be taken back, and its progress. States: queued → running → done,
// never back. A reset is stored and runs in the same way (reset.ts).
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
  | { platformId: string; from: string; to?: string }
  | { resetId: string }
  | { importName: string };

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
  | { kind: "reset"; resetId: string }
  | { kind: "import"; importName: string; from: Date; until: Date }
);

/** Where a step begins. A selection by members counts in platformIds, another one in entries or in times. */
export type Position = number | string;

/**
 * Above every position: awards are selected newest first, so that a member's XP passes through its earlier values again
 * and does not reach the floor or the cap.
 */
export const SELECTION_START = Number.MAX_SAFE_INTEGER;
/** Before every platformId: what each member has once is selected member by member. */
export const FIRST_MEMBER = "";

export function startOf({ kind }: Selection): Position {
  return kind === "reset" ? FIRST_MEMBER : SELECTION_START;
}

/** `amount`: the XP that was taken in all; negative if more was given back. */
export type ReversalCounts = { selected: number; reversed: number; skipped: number; amount: bigint };

export type Reversal = Run<ReversalState> & {
  by: ReversalBy;
  /** Fixed when the reversal is accepted, so that every step searches for the same awards. */
  selection: Selection;
};

/** What reversals and resets have in common. */
export type Run<State> = ReversalCounts & {
  /** Of a reset, its own id. */
  reversalId: string;
  clanId: string;
  /** The id of the API key that requested it; `cli` or `dashboard` if a person did. */
  apiKeyId: string;
  /** The person who requested it; null if an API key did. */
  actor: string | null;
  idempotencyKey: string | null;
  fingerprint: string;
  reason: string | null;
  state: State;
  /** Where the next step begins. Only the selection interprets it. */
  position: Position;
  /** Increases with each attempt at a step; 0 if none has begun. */
  attempt: number;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};
