// How fast a key may call (docs/reference/api.md#rate-limits). Null: as fast as it likes.

export type KeyLimits = { requestsPerSecond: number | null; awardsPerSecond: number | null };

export const KEY_LIMITS_DEFAULT: KeyLimits = { requestsPerSecond: 500, awardsPerSecond: 5_000 };
/** What a key may be raised to: past it `none` says the same. */
export const PER_SECOND_MAX = 1_000_000;

/** A bucket holds this many seconds of its rate, and an empty one is full again after them: game servers save up while a match ends. */
export const BURST_S = 4;

/** What may come at once. */
export function burstOf(perSecond: number): number {
  return perSecond * BURST_S;
}
