// Erases a member from batches. What a batch answers stays true: the same results at the same places, without the name.
//
// A run that is in progress may have read an award before it was taken out. It cannot apply it while the member is
// fenced: this waits until the batch is done, or until that run has ended by all of its deadlines.
import { ERASURE_BATCH_MS_MAX, ERASURE_BATCH_POLL_MS } from "#usecases/bounds.ts";
import type { BatchRedaction, ErasureStep } from "#usecases/erasure/ports.ts";
import type { Clock } from "#usecases/ports.ts";

export function makeEraseFromBatches(world: {
  batches: BatchRedaction;
  clock: Pick<Clock, "monotonicMs">;
  wait: (ms: number) => Promise<void>;
}): ErasureStep {
  const { batches, clock, wait } = world;
  return {
    name: "batches",
    async erase(erasure) {
      const redacted = await batches.redact(erasure);
      const endMs = clock.monotonicMs() + ERASURE_BATCH_MS_MAX;
      while (clock.monotonicMs() < endMs && (await batches.hasRunning(erasure))) await wait(ERASURE_BATCH_POLL_MS);
      // Its run may have stored outcomes that it had read before.
      return redacted + (await batches.redact(erasure));
    },
  };
}
