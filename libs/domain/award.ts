// An award, the entry it leaves in the ledger, and what became of it.
import type { AppError } from "#domain/app-error.ts";
import type { EntryFailureCode, EntryRejectionCode } from "#domain/error-code.ts";

export type AwardSource = { placeId?: string; matchId?: string; verified?: boolean };

/**
 * What a change is where it is no award of XP: an award taken back, a membership given or ended, or an appointment made
 * or ended.
 */
export const changeKinds = ["reversal", "membership", "appointment"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** A request to change one member, validated. A batch's awards carry its id; they never create a membership. */
export type Award = {
  /**
   * Absent: an award of XP. A membership or an appointment has the amount 0. A reversal has the amount that was
   * applied, negated, and its fingerprint is the id of the request that selected the award.
   */
  kind?: ChangeKind;
  /** Of an appointment: the id of the STAFF or OWNER rank; null ends one. */
  appoints?: string | null;
  /** Of a reversal: the key and the number of the entry that it takes back. */
  reverses?: { key: string; seq: number };
  /** Of a membership: it ends. */
  ends?: true;
  clanId: string;
  platformId: string;
  /** The name of this award among the member's, see award-key.ts: the same key is the same award. */
  key: string;
  /** What the key stands for: another fingerprint under the same key is a mistake of the caller. */
  fingerprint: string;
  amount: bigint;
  reason?: string;
  source?: AwardSource;
  /** Of a change without an API key: `cli` or `dashboard`, through which its `actor` made it. */
  apiKeyId: string;
  actor?: string;
  batchId?: string;
};

/**
 * The immutable ledger row of one applied award. Ranks stand as they were when it was applied: a replay repeats them.
 */
export type Entry = Omit<Award, "appoints" | "ends" | "reverses"> & {
  seq: number;
  /** Of a reversal: the number of the entry that it takes back. */
  reversesSeq?: number;
  applied: bigint;
  xp: bigint;
  rank: string;
  previousRank: string;
  nextRank: string | null;
  xpToNextRank: bigint | null;
  membershipCreated: boolean;
  /**
   * The membership after this entry: null for none. Absent: written by version 0.1.0, which kept it in the member's
   * document alone.
   */
  memberSince?: Date | null;
  /** The appointment after this entry, where there is one. */
  appointedRank?: string;
  /** After this entry the member is removed, see Head. */
  removed?: true;
  at: Date;
};

export type Rejection = "member_not_found" | "idempotency_key_reused";

export type Outcome =
  | { kind: "applied"; entry: Entry }
  | { kind: "replayed"; entry: Entry }
  | { kind: "rejected"; code: Rejection };

/** What became of one award of several. `failed`: not settled, to be sent again. */
export type AwardResult =
  | { kind: "applied" | "replayed"; entry: Entry }
  | { kind: "rejected"; code: EntryRejectionCode; detail: string }
  | { kind: "failed"; code: EntryFailureCode; error: AppError };
