// The ledger entry of an applied award.
import type { Award } from "#domain/award.ts";
import type { AppliedBoost } from "#domain/boost.ts";
import type { DayGains } from "#domain/daily-cap.ts";

/**
 * The immutable ledger row of one applied award. Ranks are those at the time of the award, and a replay returns them.
 */
export type Entry = Omit<Award, "appoints" | "ends" | "reverses" | "seenSeq"> & {
  seq: number;
  /** Only for a reversal: the number of the entry that it takes back. */
  reversesSeq?: number;
  applied: bigint;
  /** The boost that raised the amount, if there was one. */
  boost?: AppliedBoost;
  /** The clan's cap per day allowed less than the amount, raised. */
  limitedByDay?: true;
  xp: bigint;
  rank: string;
  previousRank: string;
  nextRank: string | null;
  xpToNextRank: bigint | null;
  /** The NORMAL ranks that it reached, lowest first. Absent if there are none, and if version 0.1.0 wrote the entry. */
  ranksPassed?: readonly string[];
  membershipCreated: boolean;
  /**
   * The membership after this entry; null if there is none. Absent if version 0.1.0 wrote the entry, which stored it in
   * the member's document alone.
   */
  memberSince?: Date | null;
  /** The appointment after this entry, if there is one. */
  appointedRank?: string;
  /** After this entry the member is removed; see Head. */
  removed?: true;
  /** What the member has gained today, after this entry; see Head. */
  gains?: DayGains;
  /**
   * The member's newest award with an API key before it; null if there is none. Absent from such awards, and from
   * entries of versions that did not store it.
   */
  lastAwardAt?: Date | null;
  /** The events that follow from it and have no number yet. Absent if there are none. */
  announced?: Announced;
  at: Date;
};

/**
 * The events that follow from an entry: those about changes of the rank and the membership, or also the one that each
 * entry of the clan has.
 */
export type Announced = "changes" | "all";

/** Why an entry applied less than it was asked for. */
export const limits = ["floor", "cap", "day"] as const;
export type Limit = (typeof limits)[number];

/** The day precedes the cap, if both have shortened it. Null: nothing has. */
export function limitOf({
  amount,
  applied,
  boost,
  limitedByDay,
}: Pick<Entry, "amount" | "applied" | "boost" | "limitedByDay">): Limit | null {
  if (limitedByDay) return "day";
  const asked = boost?.amount ?? amount;
  if (applied === asked) return null;
  return asked < 0n ? "floor" : "cap";
}
