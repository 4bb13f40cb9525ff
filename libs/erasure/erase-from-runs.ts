// Erases a member from the records of batches or reversals. The results of a batch stay correct: the same results at
// the same positions, without the platform ID.
//
// A run in progress may have read what was removed. It cannot apply a batch's award while the member is fenced. This
// waits until the run has processed what it read, or until all of its deadlines have passed.
import { ERASURE_BATCH_MS_MAX, ERASURE_BATCH_POLL_MS } from "#erasure/bounds.ts";
import type { Erasure, Redaction } from "#erasure/ports.ts";
import type { Clock } from "#kernel/clock.ts";

export type EraseFromRuns = (redaction: Redaction, erasure: Erasure) => Promise<void>;

export function makeEraseFromRuns(deps: {
  clock: Pick<Clock, "monotonicMs">;
  wait: (ms: number) => Promise<void>;
}): EraseFromRuns {
  const { clock, wait } = deps;
  return async function eraseFromRuns(redaction, erasure) {
    await redaction.redact(erasure);
    const endMs = clock.monotonicMs() + ERASURE_BATCH_MS_MAX;
    while (clock.monotonicMs() < endMs && (await redaction.hasRunning(erasure))) await wait(ERASURE_BATCH_POLL_MS);
    // The run may have stored outcomes, or written a reason, from a record that it had read before.
    await redaction.redact(erasure);
  };
}
