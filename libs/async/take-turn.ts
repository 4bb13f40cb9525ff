// Large work for one requester is done one piece after another, with a rest after each: it occupies this process and
// MongoDB, and what others request is done in between.
import { makeSlots } from "#async/slots.ts";

/** Runs `work` when it is the requester's turn. */
export type TakeTurn = <Result>(requester: string, work: () => Result | Promise<Result>) => Promise<Result>;

/** After each turn, the requester rests for `restsPerTurn` times as long as it took. */
export function makeTakeTurn(rests: { restsPerTurn: number; restMsMax?: number }): TakeTurn {
  const { restsPerTurn, restMsMax = Infinity } = rests;
  const turns = makeSlots({ max: 1 });

  return async (requester, work) => {
    const leave = await turns.take(requester);
    const beganMs = performance.now();
    try {
      return await work();
    } finally {
      setTimeout(leave, Math.min((performance.now() - beganMs) * restsPerTurn, restMsMax));
    }
  };
}
