// Thousands of histories of the committer under faults that no real server would make so often. A seed that failed is
// added below.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { seedOfRun } from "../support/seed.ts";
import { advance, useVirtualTime } from "./advance.ts";
import { faultsOf } from "./check-history.ts";
import { simulate } from "./simulate.ts";

const HISTORIES = Number(process.env["SIMULATE_HISTORIES"] ?? 200);
const FIRST_SEED = seedOfRun();
/** Seeds that once failed. */
const REGRESSION_SEEDS: readonly number[] = [
  // An award whose deadline passed while its rejection was being verified was committed all the same.
  1_803_957_125,
  // An older head that was noted while a newer one could not be projected took its place.
  1_934_480_419,
  // An award that was erased after a reversal had selected it was taken back from what its member was awarded since.
  1_749_126_919,
  // After an erasure, an award was applied again under its number with another effect, and its reversal took back both.
  1_405_100_240,
];

describe("the committer in simulation", { timeout: 600_000 }, () => {
  beforeEach(useVirtualTime);
  afterEach(() => void vi.useRealTimers());

  test(`keeps its guarantees in ${HISTORIES} histories that start with seed ${FIRST_SEED}`, async () => {
    const seeds = [...REGRESSION_SEEDS, ...Array.from({ length: HISTORIES }, (_, index) => FIRST_SEED + index)];
    for (const seed of seeds) {
      const history = await simulate(seed, advance);
      vi.clearAllTimers();
      expect(faultsOf(history), `TEST_SEED=${seed} SIMULATE_HISTORIES=1`).toStrictEqual([]);
    }
  });
});
