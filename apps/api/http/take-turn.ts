// Large work of one key is done one piece after another, with a pause after each: it occupies this process and MongoDB,
// and the requests of other keys are served in between.
import { REST_MS_MAX, RESTS_PER_TURN } from "./bounds.ts";

/** Runs `work` when it is the key's turn. */
export type TakeTurn = <Result>(keyId: string, work: () => Result | Promise<Result>) => Promise<Result>;

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
      return await work();
    } finally {
      const restMs = Math.min((performance.now() - beganMs) * RESTS_PER_TURN, REST_MS_MAX);
      setTimeout(() => {
        if (lastTurns.get(keyId) === over) lastTurns.delete(keyId);
        resolve();
      }, restMs);
    }
  };
}
