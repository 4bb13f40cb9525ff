// The arithmetic of a report: what a target's ratio is, from the rounds of one run, and what it says.
import type { Reading } from "./void-run.ts";
import type { Target, Value } from "./target.ts";

export type Ratio = { median: number; lowest: number; highest: number };
export type Verdict = "aim" | "must" | "missed" | "reported";

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/** One ratio for each round, of what was measured side by side in it; then their median and range. */
export function ratioOf(ours: readonly Reading[], reference: readonly Reading[], value: Value): Ratio {
  if (ours.length === 0 || reference.length !== ours.length)
    throw new Error("a ratio is of measurements from the same rounds");
  const ratios = ours.map((one, round) => valueOf(one, value) / valueOf(reference[round], value));
  return { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) };
}

export function valueOf(reading: Reading | undefined, value: Value): number {
  if (!reading) return Number.NaN;
  if (value === "awardsPerS") return reading.load.awardsPerS;
  if (value === "cpu") return Object.values(reading.cpuUsPerAward).reduce((sum, us) => sum + us, 0);
  return "cpuOf" in value
    ? (reading.cpuUsPerAward[value.cpuOf] ?? Number.NaN)
    : reading.load.latencyMs[value.percentile];
}

/** The median decides; a bound that is met exactly is met. */
export function verdictOf(measured: number, { is, must, aim }: Pick<Target, "is" | "must" | "aim">): Verdict {
  const meets = (bound: number): boolean => (is === "least" ? measured >= bound : measured <= bound);
  if (must === null) return "reported";
  if (aim !== null && meets(aim)) return "aim";
  return meets(must) ? "must" : "missed";
}
