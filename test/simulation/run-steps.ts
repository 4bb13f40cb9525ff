// The steps of a history, one after the other.
import { setImmediate } from "node:timers";
import { setImmediate as nextIteration } from "node:timers/promises";

/** An iteration of the event loop costs more than most steps. */
const STEPS_PER_ITERATION = 64;

/** Repeats the step until it returns true. What a step resolves has run, with all that follows, before the next one. */
export async function runSteps(step: () => boolean): Promise<void> {
  const state = { isOver: false, faults: [] as unknown[] };
  function one(): void {
    try {
      state.isOver ||= step();
    } catch (error) {
      state.isOver = true;
      state.faults.push(error);
    }
  }
  while (!state.isOver) {
    // Node runs everything that is resolved between two immediates.
    for (let steps = 1; steps < STEPS_PER_ITERATION; steps += 1) setImmediate(one);
    await nextIteration().then(one);
  }
  for (const fault of state.faults) throw fault;
}
