// Which histories the tests of boards and deliveries try, and for how long.
import { expect } from "vitest";
import { seedOfRun } from "../support/seed.ts";

const asked = process.env["SIMULATE_HISTORIES"];
const HISTORIES = Number(asked ?? 1_000);
/** Those of both parts of the suite are the same in each run. Somebody who asks for a number gets others each time. */
const FIRST_SEED = asked === undefined ? 1 : Number(process.env["SIMULATE_FROM"] ?? seedOfRun());
/** The long part tries fewer where the machine is slow. Not by the clock, which histories replace. */
const endMs = performance.now() + Number(process.env["SIMULATE_MINUTES"] ?? 60) * 60_000;

export const histories = `${HISTORIES} histories that start with seed ${FIRST_SEED}`;

/** Expects no fault in any of them. `known`: seeds that have found faults of the product. */
export async function expectNoFaults(
  simulate: (seed: number) => Promise<readonly string[]>,
  known: readonly number[] = [],
): Promise<void> {
  const seeds = Array.from({ length: HISTORIES }, (_, index) => FIRST_SEED + index);
  for (const seed of asked === "1" ? seeds : [...known, ...seeds]) {
    const faults = await simulate(seed).catch((error: unknown) => [String(error)]);
    expect(faults, `TEST_SEED=${seed} SIMULATE_HISTORIES=1`).toStrictEqual([]);
    if (performance.now() > endMs) return;
  }
}
