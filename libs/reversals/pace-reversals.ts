// The pace of the reversals of one process. While single awards are active, one reversal runs at a time, in small
// groups with a pause after each, so that a single award waits for one group at most. The jobs of other reversals are
// delayed: if they waited, they would occupy the slots of batches.
import { pause } from "#async/pause.ts";
import { REST_MS_MAX } from "#ledger/bounds.ts";
import {
  ENTRIES_PER_STEP_THROTTLED,
  REVERSAL_REST_SHARE_THROTTLED,
  REVERSALS_AT_ONCE,
  REVERSALS_AT_ONCE_THROTTLED,
} from "#reversals/bounds.ts";
import type { Clock } from "#kernel/clock.ts";

export type Pace = {
  /** One turn of a reversal. Null if the turn of another one must end first. */
  turn<T>(run: () => Promise<T>): Promise<T | null>;
  /** Whether a turn was rejected since the last call: that reversal should run before another one continues. */
  wasRejected(): boolean;
  /** Entries that the next step may read; undefined for as many as a step has. */
  entriesPerStep(): number | undefined;
  /** Reversals that may be submitted together now. */
  atOnce(): number;
  /** Runs a read or a group. Resolves after the pause. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

export function makePaceReversals({ isThrottled, clock }: { isThrottled: () => boolean; clock: Clock }): Pace {
  let running = 0;
  let rejected = false;
  return {
    async turn(run) {
      if (running > 0 && isThrottled()) {
        rejected = true;
        return null;
      }
      if (running === 0) rejected = false;
      running += 1;
      try {
        return await run();
      } finally {
        running -= 1;
      }
    },
    wasRejected() {
      const was = rejected;
      rejected = false;
      return was;
    },
    entriesPerStep: () => (isThrottled() ? ENTRIES_PER_STEP_THROTTLED : undefined),
    atOnce: () => (isThrottled() ? REVERSALS_AT_ONCE_THROTTLED : REVERSALS_AT_ONCE),
    async run(work) {
      const beganAtMs = clock.monotonicMs();
      const result = await work();
      const tookMs = clock.monotonicMs() - beganAtMs;
      if (isThrottled()) await pause(Math.min(tookMs * REVERSAL_REST_SHARE_THROTTLED, REST_MS_MAX));
      return result;
    },
  };
}
