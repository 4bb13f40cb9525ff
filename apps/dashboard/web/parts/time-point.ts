// The points of a chart over time, and what else the chart is drawn from.

/** `value` null: it is not known. `before`: the value of the same part of the range before. */
export type TimePoint = { fromMs: number; toMs: number; value: bigint | null; before?: bigint | null };

export type TimeChartProps = {
  /** What is shown, for example "Awards in the last 24 hours". */
  label: string;
  unit: "Awards" | "XP";
  form: "bars" | "line";
  points: readonly TimePoint[];
  /** For example "the 24 hours before". */
  beforeLabel?: string;
};

/** In seconds, as uPlot counts. */
export function middleOf({ fromMs, toMs }: Pick<TimePoint, "fromMs" | "toMs">): number {
  return (fromMs + toMs) / 2_000;
}
