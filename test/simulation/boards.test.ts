// Histories of boards under faults that no real server would make so often.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { seedOfRun } from "../support/seed.ts";
import { simulateBoards } from "./boards/simulate-boards.ts";

const HISTORIES = Number(process.env["SIMULATE_HISTORIES"] ?? 400);
/** Without a number of histories, they are the same in each run. */
const FIRST_SEED = process.env["SIMULATE_HISTORIES"] === undefined ? 1 : seedOfRun();

describe("boards in simulation", { timeout: 3_600_000 }, () => {
  // How long a reader waits is real time, and no part of a history.
  beforeAll(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterAll(() => void vi.useRealTimers());

  test(`are the sum over the ledger in ${HISTORIES} histories that start with seed ${FIRST_SEED}`, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed += 1) {
      const faults = await simulateBoards(seed).catch((error: unknown) => [String(error)]);
      expect(faults, `TEST_SEED=${seed} SIMULATE_HISTORIES=1`).toStrictEqual([]);
    }
  });
});
