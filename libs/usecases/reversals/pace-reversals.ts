// The pace of all reversals of one process. While single awards are active, reversals take turns in small groups, with
// a pause after each group, so that a single award waits for one group at most.
import { pause } from "#async/pause.ts";
import { REST_MS_MAX } from "#usecases/awards/bounds.ts";
import {
  ENTRIES_PER_STEP_THROTTLED,
  REVERSAL_REST_SHARE_THROTTLED,
  REVERSALS_AT_ONCE,
  REVERSALS_AT_ONCE_THROTTLED,
} from "#usecases/reversals/bounds.ts";
import type { Clock } from "#usecases/ports.ts";

export type Pace = {
  /** Entries that the next step may read; undefined for as many as a step has. */
  entriesPerStep(): number | undefined;
  /** Reversals that may be submitted together now. */
  atOnce(): number;
  /** Runs a read or a group in its turn. Resolves after the pause. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

export function makePaceReversals({ isThrottled, clock }: { isThrottled: () => boolean; clock: Clock }): Pace {
  let last: Promise<unknown> = Promise.resolve();

  async function runAndRest<T>(work: () => Promise<T>): Promise<T> {
    const beganAtMs = clock.monotonicMs();
    const result = await work();
    const tookMs = clock.monotonicMs() - beganAtMs;
    if (isThrottled()) await pause(Math.min(tookMs * REVERSAL_REST_SHARE_THROTTLED, REST_MS_MAX));
    return result;
  }

  return {
    entriesPerStep: () => (isThrottled() ? ENTRIES_PER_STEP_THROTTLED : undefined),
    atOnce: () => (isThrottled() ? REVERSALS_AT_ONCE_THROTTLED : REVERSALS_AT_ONCE),
    run(work) {
      if (!isThrottled()) return work();
      const turn = last.then(() => runAndRest(work));
      last = turn.catch(() => {});
      return turn;
    },
  };
}
