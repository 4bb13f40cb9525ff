// Runs a recovery scan at intervals until the process stops, while this worker holds the claim: one worker of an
// installation scans. A failed scan is retried at the next interval. Scans that take long, because many batches wait,
// run less often.
//
// Invariant: a worker whose scans fail or do not end gives the claim up, so that another one can scan.
import { repeat } from "#async/repeat.ts";
import { SCANNER_CLAIM_EVERY_MS, SCANNER_CLAIM_MS } from "#redis/bounds.ts";
import type { ScannerClaim } from "#redis/scanner-claim.ts";
import { RECOVERY_EVERY_MS, RECOVERY_PAGE, RECOVERY_SHARE_MAX } from "#batches/bounds.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import type { Meter } from "#telemetry/meter.ts";
import type { RecoveryReport } from "#batches/recover-batches.ts";

/**
 * The maximum interval after a slow scan: one that an unresponsive MongoDB delayed by 12 s must not leave lost batches
 * waiting for minutes.
 */
const PAUSE_MAX_MS = 15_000;
/** After a failed scan, another worker has this much time to take the claim. */
const YIELD_MS = 2 * SCANNER_CLAIM_EVERY_MS;

export function scanWhileClaimed(deps: {
  recover: () => Promise<RecoveryReport>;
  claim: ScannerClaim;
  clock: Clock;
  meter: Meter;
  log: Log;
}): {
  /** Resolves when no scan is in progress. */
  stop(): Promise<void>;
} {
  const { recover, claim, clock, meter, log } = deps;
  let pauseMs = RECOVERY_EVERY_MS;
  let scanningSinceMs = Infinity;
  let heldUntilMs = -Infinity;
  let yieldedUntilMs = -Infinity;
  const isHeld = () => clock.monotonicMs() < heldUntilMs;

  async function scan(): Promise<void> {
    if (!isHeld()) return;
    const startMs = clock.monotonicMs();
    scanningSinceMs = startMs;
    pauseMs = RECOVERY_EVERY_MS;
    try {
      const { unfinished, revived } = await recover();
      meter.recoveryScan(revived);
      // A scan of one page is cheap. If it took long, it waited for a server, and batches may need the next one soon.
      const shareMs = (clock.monotonicMs() - startMs) / RECOVERY_SHARE_MAX;
      if (unfinished >= RECOVERY_PAGE) pauseMs = Math.min(Math.max(RECOVERY_EVERY_MS, shareMs), PAUSE_MAX_MS);
    } finally {
      scanningSinceMs = Infinity;
    }
  }
  const scanning = repeat(
    () => pauseMs,
    scan,
    (error) => {
      log.debug({ err: error }, "recovery_scan.failed");
      return giveUp();
    },
  );
  async function giveUp(): Promise<void> {
    heldUntilMs = -Infinity;
    yieldedUntilMs = clock.monotonicMs() + YIELD_MS;
    await claim.release().catch((error: unknown) => log.debug({ err: error }, "recovery_scan.claim_not_released"));
  }

  async function hold(): Promise<void> {
    const nowMs = clock.monotonicMs();
    if (nowMs < yieldedUntilMs || nowMs - scanningSinceMs > SCANNER_CLAIM_MS) return;
    const wasHeld = isHeld();
    const isTaken = await claim.take();
    // A scan has failed meanwhile.
    if (nowMs < yieldedUntilMs) return;
    heldUntilMs = isTaken ? nowMs + SCANNER_CLAIM_MS : -Infinity;
    // Batches may wait since the worker before failed.
    if (isTaken && !wasHeld) scanning.now();
  }
  const holding = repeat(SCANNER_CLAIM_EVERY_MS, hold, (error) =>
    log.debug({ err: error }, "recovery_scan.claim_failed"),
  );

  return {
    async stop() {
      await Promise.all([holding.stop(), scanning.stop()]);
      if (isHeld()) await giveUp();
    },
  };
}
