// Sweeps now and then, as long as the process lives. A sweep that fails is tried again at its next turn; one that takes long, because
// many batches wait, comes more rarely.
import { SWEEP_EVERY_MS, SWEEP_SHARE_MAX } from "#usecases/bounds.ts";
import type { Clock, Log, Meter } from "#usecases/ports.ts";
import type { SweepBatches } from "#usecases/batches/recover-batches.ts";

/** However long a sweep took: one that a silent MongoDB held up for 12 s must not leave lost batches waiting for minutes. */
const PAUSE_MAX_MS = 15_000;

export function keepSweeping(world: { sweepBatches: SweepBatches; clock: Clock; meter: Meter; log: Log }): {
  /** Resolves when no sweep is under way. */
  stop(): Promise<void>;
} {
  const { sweepBatches, clock, meter, log } = world;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();

  async function sweep(): Promise<void> {
    const startMs = clock.monotonicMs();
    try {
      meter.sweep((await sweepBatches()).revived);
      next((clock.monotonicMs() - startMs) / SWEEP_SHARE_MAX);
    } catch (error) {
      log.debug({ err: error }, "sweep.failed");
      next(0);
    }
  }
  function next(pauseMs: number): void {
    if (stopped) return;
    timer = setTimeout(
      () => {
        sweeping = sweep();
      },
      Math.min(Math.max(SWEEP_EVERY_MS, pauseMs), PAUSE_MAX_MS),
    );
  }
  next(0);

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
    },
  };
}
