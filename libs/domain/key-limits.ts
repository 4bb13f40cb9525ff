// How many requests a key may send, and how much it may award (docs/reference/api.md#rate-limits). Null means no limit.

export type KeyLimits = {
  requestsPerSecond: number | null;
  awardsPerSecond: number | null;
  /** Of one award, in either direction. */
  amountMax: number | null;
  /** The sum of the positive amounts in a UTC day. */
  xpPerDay: number | null;
};

export const KEY_LIMITS_DEFAULT: KeyLimits = {
  requestsPerSecond: 500,
  awardsPerSecond: 5_000,
  amountMax: null,
  xpPerDay: null,
};
/** Far within the safe integers, so that sums stay exact. If a key needs more, use `none`. */
export const XP_PER_DAY_MAX = 1_000_000_000_000_000;
/** The highest rate of a key. If a key needs more, use `none`. */
export const PER_SECOND_MAX = 1_000_000;

/**
 * A bucket holds this many seconds of its rate, and an empty one is full again after this time: game servers send many
 * awards at the end of a match.
 */
export const BURST_S = 4;

/** The burst: the number that may arrive at the same moment. */
export function burstOf(perSecond: number): number {
  return perSecond * BURST_S;
}

/** What a key has a rate of. */
export type RateKind = "requests" | "awards";
