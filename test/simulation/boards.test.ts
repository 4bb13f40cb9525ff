// Histories of boards under faults that no real server would make so often.
import { afterAll, beforeAll, describe, test, vi } from "vitest";
import { simulateBoards } from "./boards/simulate-boards.ts";
import { expectNoFaults, histories } from "./histories.ts";

describe("boards in simulation", { timeout: 3_600_000 }, () => {
  // How long a reader waits is real time, and no part of a history.
  beforeAll(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterAll(() => void vi.useRealTimers());

  // 500827: a period becomes final during an erasure, with a standing that was counted since it began.
  test(`are the sum over the ledger in ${histories}`, () => expectNoFaults(simulateBoards, [500_827]));
});
