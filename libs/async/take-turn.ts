// Large work for one requester is done one piece after another, with a rest after each: it occupies this process and
// MongoDB, and what others request is done in between.

/** Runs `work` when it is the requester's turn. */
export type TakeTurn = <Result>(requester: string, work: () => Result | Promise<Result>) => Promise<Result>;

/** After each turn, the requester rests for `restsPerTurn` times as long as it took. */
export function makeTakeTurn(rests: { restsPerTurn: number; restMsMax?: number }): TakeTurn {
  const { restsPerTurn, restMsMax = Infinity } = rests;
  /** When the last turn of each requester, including its rest, ends. */
  const lastTurns = new Map<string, Promise<void>>();

  return async (requester, work) => {
    const before = lastTurns.get(requester);
    const { promise: over, resolve } = Promise.withResolvers<void>();
    lastTurns.set(requester, over);
    await before;
    const beganMs = performance.now();
    try {
      return await work();
    } finally {
      const restMs = Math.min((performance.now() - beganMs) * restsPerTurn, restMsMax);
      setTimeout(() => {
        if (lastTurns.get(requester) === over) lastTurns.delete(requester);
        resolve();
      }, restMs);
    }
  };
}
