// Projects the remaining heads of crashed processes, and draws a new epoch of the ledger, at intervals until the worker
// stops.
import { repeat } from "#async/repeat.ts";
import { EPOCH_DRAW_MS } from "#ledger/bounds.ts";
import { RECOVER_EVERY_MS } from "#ledger/projection/bounds.ts";
import type { Log } from "#usecases/ports.ts";
import type { EpochStore } from "#ledger/ports.ts";
import type { RecoverProjections } from "#ledger/projection/recover-projections.ts";

export function scheduleProjectionRecovery(world: {
  recoverProjections: RecoverProjections;
  epochs: Pick<EpochStore, "renew">;
  log: Log;
}): {
  /** Resolves when no step is in progress. */
  stop(): Promise<void>;
} {
  const { recoverProjections, epochs, log } = world;
  const recovering = repeat(RECOVER_EVERY_MS, recoverProjections, (error) =>
    log.debug({ err: error }, "projection.recovery_failed"),
  );
  const drawing = repeat(EPOCH_DRAW_MS, epochs.renew, (error) => log.debug({ err: error }, "epoch.renewal_failed"));
  return {
    async stop() {
      await Promise.all([recovering.stop(), drawing.stop()]);
    },
  };
}
