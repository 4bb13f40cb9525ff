// Where the fuzz tests start from. A seed that failed is added to `failedSeeds` with the mend, and is run first from then on.

/** TEST_SEED=<number> repeats a run; the seed of each run stands in the titles of its tests. */
const seedOfThisRun = Number(process.env["TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

const failedSeeds: readonly number[] = [];

/** Each seed with the number of cases it is run for. */
export function seedsFor(runs: number): { seed: number; numRuns: number }[] {
  return [...failedSeeds.map((seed) => ({ seed, numRuns: Math.ceil(runs / 4) })), { seed: seedOfThisRun, numRuns: runs }];
}
