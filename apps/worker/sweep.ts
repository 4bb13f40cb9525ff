// Sweeps now and then, as long as the process lives. A sweep that fails is tried again at its next turn.
import { SWEEP_EVERY_MS } from "#usecases/bounds.ts";
import type { Log } from "#usecases/ports.ts";
import type { SweepBatches } from "#usecases/sweep-batches.ts";

export function keepSweeping(sweepBatches: SweepBatches, log: Log): { /** Resolves when no sweep is under way. */ stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();

  async function sweep(): Promise<void> {
    try {
      await sweepBatches();
    } catch (error) {
      log.debug({ err: error }, "sweep.failed");
    }
    next();
  }
  function next(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      sweeping = sweep();
    }, SWEEP_EVERY_MS);
  }
  next();

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
    },
  };
}
