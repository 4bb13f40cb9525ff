// Thousands of histories of the numbering of events under faults that no real server would make so often.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { seedOfRun } from "../support/seed.ts";
import { advance, useVirtualTime } from "./advance.ts";
import { simulateEvents } from "./simulate-events.ts";

const HISTORIES = Number(process.env["SIMULATE_HISTORIES"] ?? 100);
const FIRST_SEED = seedOfRun();

describe("the numbering of events in simulation", { timeout: 600_000 }, () => {
  beforeEach(useVirtualTime);
  afterEach(() => void vi.useRealTimers());

  test(`keeps its guarantees in ${HISTORIES} histories that start with seed ${FIRST_SEED}`, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed += 1) {
      const faults = await simulateEvents(seed, advance);
      vi.clearAllTimers();
      expect(faults, `TEST_SEED=${seed} SIMULATE_HISTORIES=1`).toStrictEqual([]);
    }
  });
});
