// Deletes data by age: details of batches, then of reversals, each with its own retention.
import { pause } from "#async/pause.ts";
import type { Config } from "#runtime/process/config.ts";
import { makeApplyRetention } from "#usecases/batches/apply-retention.ts";
import type { BatchStore } from "#usecases/batches/ports.ts";
import { RETENTION_PAUSE_MS } from "#usecases/batches/bounds.ts";
import type { Log } from "#runtime/ports.ts";
import type { ReversalStore } from "#usecases/reversals/ports.ts";

export function makeRetention(world: {
  batches: Pick<BatchStore, "deleteDetails">;
  reversals: Pick<ReversalStore, "deleteDetails">;
  config: Pick<Config, "batchRetentionDays" | "reversalRetentionDays">;
  log: Log;
}): (stopping: AbortSignal) => Promise<void> {
  const { batches, reversals, config, log } = world;
  const common = { pause: (stopping: AbortSignal) => pause(RETENTION_PAUSE_MS, stopping), log };
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
