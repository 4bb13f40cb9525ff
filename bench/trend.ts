// The ratios that were recorded, commit by commit: what a later run is held against.
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import type { Line, Result } from "./run-bench.ts";
import { isHeld } from "./bounds.ts";
import { QUICK } from "./targets.ts";

/** Below this share of what was recorded last, something became slower that noise does not explain. */
const REGRESSION_SHARE = 0.6;

const Recorded = z.strictObject({
  commit: z.string(),
  date: z.iso.date(),
  ratios: z.record(z.string(), z.number().positive()),
});
export type Recorded = z.infer<typeof Recorded>;

const file = new URL("./trend.json", import.meta.url);

/** Oldest first. */
export function readTrend(): Recorded[] {
  return z.array(Recorded).parse(JSON.parse(readFileSync(file, "utf8")));
}

/** Adds what this run measured of the guarded targets; it must have measured them all. */
export function record(result: Pick<Result, "lines" | "machine">): void {
  const ratios = guardedRatios(result.lines);
  const missing = QUICK.filter((id) => ratios[id] === undefined);
  if (missing.length > 0) throw new Error(`nothing is recorded: this run has no ratio for ${missing.join(", ")}`);
  const { commit, at } = result.machine;
  const now: Recorded = { commit, date: at.slice(0, 10), ratios };
  writeFileSync(file, `${JSON.stringify([...readTrend(), now], null, 2)}\n`);
}

/** The medians of the guarded targets, to two digits after the point. */
export function guardedRatios(lines: readonly Line[]): Record<string, number> {
  const guarded = lines.filter((line) => QUICK.includes(line.id) && isHeld(line));
  return Object.fromEntries(guarded.map(({ id, ratio }) => [id, Number(ratio.median.toFixed(2))]));
}

/** What became slower, one sentence each. */
export function regressions(recorded: Recorded, ratios: Readonly<Record<string, number>>): string[] {
  return Object.entries(recorded.ratios).flatMap(([id, before]) => {
    const now = ratios[id] ?? 0;
    if (now >= before * REGRESSION_SHARE) return [];
    return [`target ${id}: ${now}, and it was ${before} at ${recorded.commit} (less than ${REGRESSION_SHARE} of it)`];
  });
}
