// An award, the entry it leaves in the ledger, and what became of it.

export type AwardSource = { placeId?: string; matchId?: string; verified?: boolean };

/** A request to change one member's XP, validated. A batch's awards carry its id; they never create a membership. */
export type Award = {
  clanId: string;
  platformId: string;
  /** The name of this award among the member's, see award-key.ts: the same key is the same award. */
  key: string;
  /** What the key stands for: another fingerprint under the same key is a mistake of the caller. */
  fingerprint: string;
  amount: bigint;
  reason?: string;
  source?: AwardSource;
  apiKeyId: string;
  batchId?: string;
};

/** The immutable ledger row of one applied award. Ranks stand as they were when it was applied: a replay repeats them. */
export type Entry = Award & {
  seq: number;
  applied: bigint;
  xp: bigint;
  rank: string;
  previousRank: string;
  nextRank: string | null;
  xpToNextRank: bigint | null;
  membershipCreated: boolean;
  at: Date;
};

export type Rejection = "member_not_found" | "idempotency_key_reused";

export type Outcome = { kind: "applied"; entry: Entry } | { kind: "replayed"; entry: Entry } | { kind: "rejected"; code: Rejection };
