// Runs a recovery scan at intervals until the process stops. A failed scan is retried at the next interval. Scans that
// take long, because many batches wait, run less often.
import { RECOVERY_EVERY_MS, RECOVERY_PAGE, RECOVERY_SHARE_MAX } from "#usecases/batches/bounds.ts";
import type { Clock, Log, Meter } from "#usecases/ports.ts";
import type { RecoveryReport } from "#usecases/batches/recover-batches.ts";

/**
 * The maximum interval after a slow scan: one that an unresponsive MongoDB delayed by 12 s must not leave lost batches
 * waiting for minutes.
 */
const PAUSE_MAX_MS = 15_000;

export function scheduleBatchRecovery(world: {
  recover: () => Promise<RecoveryReport>;
  clock: Clock;
  meter: Meter;
  log: Log;
}): {
  /** Resolves when no scan is in progress. */
  stop(): Promise<void>;
} {
  const { recover, clock, meter, log } = world;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let scanning: Promise<void> = Promise.resolve();

  async function scan(): Promise<void> {
    const startMs = clock.monotonicMs();
    try {
      const { unfinished, revived } = await recover();
      meter.recoveryScan(revived);
      // A scan of one page is cheap. If it took long, it waited for a server, and batches may need the next one soon.
      next(unfinished < RECOVERY_PAGE ? 0 : (clock.monotonicMs() - startMs) / RECOVERY_SHARE_MAX);
    } catch (error) {
      log.debug({ err: error }, "recovery_scan.failed");
      next(0);
    }
  }
  function next(pauseMs: number): void {
    if (stopped) return;
    timer = setTimeout(
      () => {
        scanning = scan();
      },
      Math.min(Math.max(RECOVERY_EVERY_MS, pauseMs), PAUSE_MAX_MS),
    );
  }
  next(0);

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await scanning;
    },
  };
}
