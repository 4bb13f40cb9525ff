// Parses the large bodies of one key one after another, with a pause after each: parsing blocks the whole process, and
// the requests of other keys are served in between.
import { RESTS_PER_LARGE_BODY } from "./bounds.ts";

/** Runs `work` when it is the key's turn. */
export type TakeTurn = <Result>(keyId: string, work: () => Result) => Promise<Result>;

export function makeTakeTurn(): TakeTurn {
  /** When the last turn of each key, including its pause, ends. */
  const lastTurns = new Map<string, Promise<void>>();

  return async (keyId, work) => {
    const before = lastTurns.get(keyId);
    const { promise: over, resolve } = Promise.withResolvers<void>();
    lastTurns.set(keyId, over);
    await before;
    const beganMs = performance.now();
    try {
      return work();
    } finally {
      const restMs = (performance.now() - beganMs) * RESTS_PER_LARGE_BODY;
      setTimeout(() => {
        if (lastTurns.get(keyId) === over) lastTurns.delete(keyId);
        resolve();
      }, restMs);
    }
  };
}
