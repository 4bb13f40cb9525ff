// The order of everything in a history: one of the calls that wait is chosen at random and takes effect, then virtual
// time goes on.
import type { Chance } from "../../support/chance.ts";
import { runSteps } from "../run-steps.ts";

/** More than any history needs: what never ends would be waited for for ever. */
const TURNS_MAX = 60_000;

export type Turns = {
  nowMs(): number;
  /** Resolves when it is this caller's turn. */
  turn(): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** Gives turns until the work is done. Throws if it never is. */
  run(work: Promise<unknown>): Promise<void>;
};

export function makeTurns(chance: Chance, startMs: number): Turns {
  let nowMs = startMs;
  const waiting: (() => void)[] = [];
  const asleep: { atMs: number; wake: () => void }[] = [];

  function next(): (() => void) | undefined {
    const ready = asleep.filter(({ atMs }) => atMs <= nowMs);
    const index = chance.int(0, waiting.length + ready.length - 1);
    const sleeper = ready[index - waiting.length];
    if (!sleeper) return waiting.splice(index, 1)[0];
    asleep.splice(asleep.indexOf(sleeper), 1);
    return sleeper.wake;
  }

  return {
    nowMs: () => nowMs,
    turn: () => new Promise((resolve) => void waiting.push(resolve)),
    sleep: (ms) => new Promise((wake) => void asleep.push({ atMs: nowMs + ms, wake })),
    async run(work) {
      let [isDone, turns] = [false, 0];
      const end = (): void => void (isDone = true);
      work.then(end, end);
      await runSteps(() => {
        if (isDone) return true;
        if ((turns += 1) > TURNS_MAX) throw new Error("never settled: assuming an infinite loop");
        if (waiting.length === 0) {
          if (asleep.length === 0) throw new Error("never settled: nobody waits for a turn");
          nowMs = Math.max(nowMs, Math.min(...asleep.map(({ atMs }) => atMs)));
        } else nowMs += chance.int(0, 12);
        next()?.();
        return false;
      });
      await work;
    },
  };
}
