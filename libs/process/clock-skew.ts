// Compares the clock of this process with MongoDB's each time that MongoDB is checked. The times that a process writes
// are compared with those of others, so a process with a wrong clock is not ready.
import { clockDifference } from "#async/clock-difference.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

export type ClockSkew = {
  /** Checks MongoDB with `ping`, and compares the clocks. Throws what `ping` throws. */
  checkMongo(): Promise<void>;
  /** Throws, with a reason, while the clock is too far from MongoDB's, and before the first comparison. */
  check(): Promise<void>;
  /**
   * How far the clock of this process is ahead of MongoDB's (negative: behind), at least: a reply may have taken any
   * part of the time since its request. Null before the first comparison.
   */
  aheadMs(): number | null;
};

/** Timestamps of processes that are further apart no longer show the order of events to people. */
const WARN_MS = 60_000;
const WARN_EVERY_MS = 60_000;
/** Corrections select awards by their time, and a clock that is this wrong was never set. NTP keeps 0.1 s. */
const SKEW_MAX_MS = 5 * 60_000;

/** `ping` returns MongoDB's time. */
export function makeClockSkew({ ping, clock, log }: { ping: () => Promise<Date>; clock: Clock; log: Log }): ClockSkew {
  let aheadMs: number | null = null;
  let warnedAtMs = -Infinity;

  function note(knownMs: number): void {
    aheadMs = knownMs;
    const nowMs = clock.monotonicMs();
    if (Math.abs(knownMs) <= WARN_MS || nowMs - warnedAtMs < WARN_EVERY_MS) return;
    warnedAtMs = nowMs;
    log.warn({ aheadMs: knownMs }, "clock.skewed");
  }

  return {
    async checkMongo() {
      const sentMs = clock.now().getTime();
      const otherMs = (await ping()).getTime();
      note(0 - clockDifference({ otherMs, sentMs, answeredMs: clock.now().getTime() }));
    },
    async check() {
      if (aheadMs === null) throw new Error("not compared with MongoDB's clock yet");
      if (Math.abs(aheadMs) <= SKEW_MAX_MS) return;
      const seconds = Math.round(Math.abs(aheadMs) / 1_000);
      throw new Error(
        `the clock of this process is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} MongoDB's: set both machines by NTP`,
      );
    },
    aheadMs: () => aheadMs,
  };
}
