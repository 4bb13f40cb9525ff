// The seeds of the fuzz tests. A seed that failed is added to `failedSeeds` with the fix, and runs first from then on.
import { seedOfRun } from "../support/seed.ts";

const failedSeeds: readonly number[] = [];

/** Each seed with the number of cases it is run for. */
export function seedsFor(runs: number): { seed: number; numRuns: number }[] {
  return [...failedSeeds.map((seed) => ({ seed, numRuns: Math.ceil(runs / 4) })), { seed: seedOfRun(), numRuns: runs }];
}
