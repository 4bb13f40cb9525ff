// A point of a chart over time.

/** `value` null: it is not known. `before`: the value of the same part of the range before. */
export type TimePoint = { fromMs: number; toMs: number; value: bigint | null; before?: bigint | null };

/** In seconds, as uPlot counts. */
export function middleOf({ fromMs, toMs }: Pick<TimePoint, "fromMs" | "toMs">): number {
  return (fromMs + toMs) / 2_000;
}
