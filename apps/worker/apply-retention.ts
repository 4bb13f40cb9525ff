// Deletes data whose retention has ended, immediately and then every minute, until the process stops.
import { pause } from "#async/pause.ts";
import type { Config } from "#runtime/process/config.ts";
import { makeApplyRetention } from "#usecases/batches/apply-retention.ts";
import { RETENTION_EVERY_MS, RETENTION_PAUSE_MS } from "#usecases/batches/bounds.ts";
import type { BatchStore } from "#usecases/batches/ports.ts";
import type { Clock, Log } from "#usecases/ports.ts";
import type { ReversalStore } from "#usecases/reversals/ports.ts";

/** Deletes details of batches, then of reversals, each with its own retention. */
export function makeRetention(world: {
  batches: Pick<BatchStore, "deleteDetails">;
  reversals: Pick<ReversalStore, "deleteDetails">;
  config: Pick<Config, "batchRetentionDays" | "reversalRetentionDays">;
  clock: Clock;
  log: Log;
}): (stopping: AbortSignal) => Promise<void> {
  const { batches, reversals, config, clock, log } = world;
  const common = { clock, pause: (stopping: AbortSignal) => pause(RETENTION_PAUSE_MS, stopping), log };
  const steps = [
    makeApplyRetention({ batches, retentionDays: config.batchRetentionDays, event: "batch.retention", ...common }),
    makeApplyRetention({
      batches: reversals,
      retentionDays: config.reversalRetentionDays,
      event: "reversal.retention",
      ...common,
    }),
  ];
  return async (stopping) => {
    for (const step of steps) await step(stopping);
  };
}

export function keepRetention(world: {
  applyRetention: (stopping: AbortSignal) => Promise<void>;
  ready: Promise<void>;
  log: Log;
}): {
  /** Resolves when no step is in progress. */
  stop(): Promise<void>;
} {
  const { applyRetention, ready, log } = world;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    try {
      await applyRetention(stopping.signal);
    } catch (error) {
      log.debug({ err: error }, "retention.failed");
    }
    if (!stopping.signal.aborted) timer = setTimeout(start, RETENTION_EVERY_MS);
  }
  function start(): void {
    if (!stopping.signal.aborted) running = run();
  }
  // If MongoDB cannot be used, another part of the process reports it and exits.
  ready.then(start, () => {});

  return {
    stop() {
      stopping.abort();
      clearTimeout(timer);
      return running;
    },
  };
}
