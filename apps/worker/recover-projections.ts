// Projects the remaining heads of crashed processes at intervals, until the worker stops.
import { repeat } from "#async/repeat.ts";
import { RECOVER_EVERY_MS } from "#ledger/bounds.ts";
import type { RecoverProjections } from "#ledger/recover-projections.ts";
import type { Log } from "#runtime/ports.ts";

export function scheduleProjectionRecovery({
  recoverProjections,
  log,
}: {
  recoverProjections: RecoverProjections;
  log: Log;
}): {
  /** Resolves when no step is in progress. */
  stop(): Promise<void>;
} {
  return repeat(RECOVER_EVERY_MS, recoverProjections, (error) =>
    log.debug({ err: error }, "projection.recovery_failed"),
  );
}
