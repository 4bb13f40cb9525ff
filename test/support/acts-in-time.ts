// A change acts within a second, on every process: no request that begins later sees what was before.
import { setTimeout as pause } from "node:timers/promises";

const ACTS_WITHIN_MS = 1_000;
const POLL_EVERY_MS = 10;

/**
 * Asks until the change that was just made is seen. Rejects when it is not seen by a request that began more than a
 * second after the change: how long a request takes is up to the machine, and says nothing about the change.
 */
export async function actsInTime(isSeen: () => Promise<boolean>): Promise<void> {
  const changedAtMs = performance.now();
  for (;;) {
    const beganMs = performance.now() - changedAtMs;
    if (await isSeen()) return;
    if (beganMs > ACTS_WITHIN_MS) throw new Error(`Not seen by a request ${Math.round(beganMs)} ms after the change`);
    await pause(POLL_EVERY_MS);
  }
}
