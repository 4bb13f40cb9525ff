// Thousands of histories of the committer under faults that no real server would make so often. A seed that failed is added below.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { disagreements } from "../faults/history.ts";
import { simulate } from "./simulate.ts";

const HISTORIES = Number(process.env["SIMULATE_HISTORIES"] ?? 300);
const FIRST_SEED = Number(process.env["SIMULATE_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** Seeds that once failed. */
const REMEMBERED: readonly number[] = [];

describe("the committer in simulation", { timeout: 120_000 }, () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
  afterEach(() => void vi.useRealTimers());

  test(`keeps its promise in ${HISTORIES} histories from seed ${FIRST_SEED} on`, async () => {
    const seeds = [...REMEMBERED, ...Array.from({ length: HISTORIES }, (_, index) => FIRST_SEED + index)];
    for (const seed of seeds) {
      const { sent, ledger, memberships, joined } = await simulate(seed, async () => {
        await vi.runAllTimersAsync();
      });
      expect(disagreements(sent, ledger), `SIMULATE_SEED=${seed} SIMULATE_HISTORIES=1`).toStrictEqual([]);
      expect(joined, `memberships of seed ${seed}`).toBe(memberships);
    }
  });
});
