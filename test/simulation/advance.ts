// Virtual time of the simulations.
import { setImmediate as realImmediate } from "node:timers";
import { vi } from "vitest";

/**
 * Including setImmediate: otherwise virtual time passes the deadline of an award while its group waits for a real turn.
 */
const TIMERS = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "Date"] as const;
/** More than any history needs: work that never ends would be waited for for ever. */
const TIMERS_MAX = 200_000;

export function useVirtualTime(): void {
  vi.useFakeTimers({ toFake: [...TIMERS] });
}

/** Fires one timer after the other, with a real turn of the event loop after each, until the work is done. */
export async function advance(work: Promise<unknown>): Promise<void> {
  const done = work.then(() => true);
  for (let timers = 0; timers < TIMERS_MAX; timers += 1) {
    vi.advanceTimersToNextTimer();
    const turn = new Promise<false>((resolve) => realImmediate(resolve, false));
    if (await Promise.race([done, turn])) return;
  }
  throw new Error(`not done after ${TIMERS_MAX} timers`);
}
