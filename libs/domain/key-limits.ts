// How fast a key may call, and how much it may award (docs/reference/api.md#rate-limits). Null: without limit.

export type KeyLimits = {
  requestsPerSecond: number | null;
  awardsPerSecond: number | null;
  /** Of one award, either way. */
  amountMax: number | null;
  /** Sum of the positive amounts in a UTC day. */
  xpPerDay: number | null;
};

export const KEY_LIMITS_DEFAULT: KeyLimits = {
  requestsPerSecond: 500,
  awardsPerSecond: 5_000,
  amountMax: null,
  xpPerDay: null,
};
/** Far inside the safe integers, so that sums stay exact; past it `none` says the same. */
export const XP_PER_DAY_MAX = 1_000_000_000_000_000;
/** What a key may be raised to: past it `none` says the same. */
export const PER_SECOND_MAX = 1_000_000;

/**
 * A bucket holds this many seconds of its rate, and an empty one is full again after them: game servers save up while a
 * match ends.
 */
export const BURST_S = 4;

/** What may come at once. */
export function burstOf(perSecond: number): number {
  return perSecond * BURST_S;
}
