// Erases a member from the records of what workers run. What a batch answers stays true: the same results at the same
// places, without the name.
//
// A run that is in progress may have read what was taken out. It cannot apply a batch's award while the member is
// fenced: this waits until the run is done with what it has read, or has ended by all of its deadlines.
import { ERASURE_BATCH_MS_MAX, ERASURE_BATCH_POLL_MS } from "#usecases/bounds.ts";
import type { Erasure, Redaction } from "#usecases/erasure/ports.ts";
import type { Clock } from "#usecases/ports.ts";

export type EraseFromRuns = (redaction: Redaction, erasure: Erasure) => Promise<void>;

export function makeEraseFromRuns(world: {
  clock: Pick<Clock, "monotonicMs">;
  wait: (ms: number) => Promise<void>;
}): EraseFromRuns {
  const { clock, wait } = world;
  return async function eraseFromRuns(redaction, erasure) {
    await redaction.redact(erasure);
    const endMs = clock.monotonicMs() + ERASURE_BATCH_MS_MAX;
    while (clock.monotonicMs() < endMs && (await redaction.hasRunning(erasure))) await wait(ERASURE_BATCH_POLL_MS);
    // Its run may have stored outcomes, or written a reason, that it had read before.
    await redaction.redact(erasure);
  };
}
