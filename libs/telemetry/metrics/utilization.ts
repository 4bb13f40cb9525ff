// The utilization of a process: the time that its slots were busy, divided by the time that they could have been.
import type { Clock } from "#kernel/clock.ts";

/** A shorter interval would not be meaningful; callers within it get the same value. */
const INTERVAL_MIN_MS = 5_000;

export type Utilization = {
  /** Counts a slot as busy until the work is done. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** 0 to 1, over the last complete interval between two calls. */
  share(): number;
};

export function makeUtilization({ slots, clock }: { slots: number; clock: Clock }): Utilization {
  let busy = 0;
  let busyMs = 0;
  let countedUntilMs = clock.monotonicMs();
  let intervalFromMs = countedUntilMs;
  let last = 0;

  function count(): void {
    const nowMs = clock.monotonicMs();
    busyMs += busy * (nowMs - countedUntilMs);
    countedUntilMs = nowMs;
  }

  return {
    async during(work) {
      count();
      busy += 1;
      try {
        return await work();
      } finally {
        count();
        busy -= 1;
      }
    },
    share() {
      count();
      const intervalMs = countedUntilMs - intervalFromMs;
      if (intervalMs < INTERVAL_MIN_MS) return last;
      last = Math.min(1, busyMs / (intervalMs * slots));
      busyMs = 0;
      intervalFromMs = countedUntilMs;
      return last;
    },
  };
}
