// What a worker deletes by age: details of batches, then of reversals, each with its own retention.
import { pause } from "#async/pause.ts";
import type { Config } from "#runtime/process/config.ts";
import { makeForgetBatches } from "#usecases/batches/forget-batches.ts";
import type { BatchStore } from "#usecases/batches/ports.ts";
import { FORGET_PAUSE_MS } from "#usecases/bounds.ts";
import type { Clock, Log } from "#usecases/ports.ts";
import type { ReversalStore } from "#usecases/reversals/ports.ts";

export function makeForgetOld(world: {
  batches: Pick<BatchStore, "forgetDone">;
  reversals: Pick<ReversalStore, "forgetDone">;
  config: Pick<Config, "batchRetentionDays" | "reversalRetentionDays">;
  clock: Clock;
  log: Log;
}): (stopping: AbortSignal) => Promise<void> {
  const { batches, reversals, config, clock, log } = world;
  const common = { clock, pause: (stopping: AbortSignal) => pause(FORGET_PAUSE_MS, stopping), log };
  const steps = [
    makeForgetBatches({ batches, retentionDays: config.batchRetentionDays, event: "batch.retention", ...common }),
    makeForgetBatches({
      batches: reversals,
      retentionDays: config.reversalRetentionDays,
      event: "reversal.retention",
      ...common,
    }),
  ];
  return async (stopping) => {
    for (const forget of steps) await forget(stopping);
  };
}
