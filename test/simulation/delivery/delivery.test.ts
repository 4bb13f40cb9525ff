// Many histories of deliveries under faults that no real server would make so often.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { seedOfRun } from "../../support/seed.ts";
import { simulateDelivery } from "./simulate.ts";
import { advanceVirtual, beginVirtualTime, endVirtualTime } from "./virtual-time.ts";

const HISTORIES = Number(process.env["SIMULATE_HISTORIES"] ?? 1_000);
const FIRST_SEED = process.env["SIMULATE_HISTORIES"] === undefined ? 1 : seedOfRun();
/** Histories that have found faults of the product. */
const REGRESSION_SEEDS = [133_923_770, 777_191];

describe("deliveries in simulation", { timeout: 3_600_000 }, () => {
  beforeEach(beginVirtualTime);
  afterEach(endVirtualTime);

  test(`keep their guarantees in ${HISTORIES} histories that start with seed ${FIRST_SEED}`, async () => {
    const seeds = [...REGRESSION_SEEDS, ...Array.from({ length: HISTORIES }, (_, index) => FIRST_SEED + index)];
    for (const seed of seeds) {
      beginVirtualTime();
      const faults = await simulateDelivery(seed, advanceVirtual);
      expect(faults, `TEST_SEED=${seed} SIMULATE_HISTORIES=1`).toStrictEqual([]);
    }
  });
});
