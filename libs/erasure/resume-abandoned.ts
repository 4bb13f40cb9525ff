// Continues what other processes have begun and left, some at a time: a long one keeps no other from its turn.
import { ERASURES_AT_ONCE } from "#erasure/bounds.ts";

export type ResumeAbandoned = {
  /** Begins with all that are claimed by now, without waiting for their end. Throws AppError `unavailable`. */
  look(): Promise<void>;
  /** Resolves when none of them runs. */
  ended(): Promise<unknown>;
};

/** `resume` never throws. */
export function makeResumeAbandoned<Work>({
  claim,
  resume,
}: {
  claim: () => Promise<Work | null>;
  resume: (work: Work) => Promise<void>;
}): ResumeAbandoned {
  const running = new Set<Promise<void>>();

  async function look(): Promise<void> {
    while (running.size < ERASURES_AT_ONCE) {
      const work = await claim();
      if (work === null) return;
      const run = resume(work).finally(() => running.delete(run));
      running.add(run);
    }
  }

  return { look, ended: () => Promise.all(running) };
}
