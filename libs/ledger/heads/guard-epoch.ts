// Heads are written only while the data that was read for them is still valid: an erasure deletes a member once no
// write from before its epoch can be in progress (docs/decisions/0028).
import { AppError } from "#kernel/app-error.ts";
import { PLAN_AGE_MAX_MS } from "#ledger/bounds.ts";
import type { Clock } from "#kernel/clock.ts";

export type EpochGuard = {
  /** The epoch in which everything is read. */
  epoch: string;
  /**
   * Called before each write. Throws AppError `unavailable` if the reads are old and the epoch has changed or is not
   * known in time.
   */
  requireSame(): Promise<void>;
};

/**
 * True while the reads that began at `beganAtMs` (of `agingMs`) are recent; later only if the epoch is unchanged, and
 * this was known in time. Throws AppError `unavailable`.
 */
export async function isStillEpoch(read: {
  epoch: string;
  beganAtMs: number;
  readEpoch: () => Promise<string>;
  clock: Clock;
}): Promise<boolean> {
  const { epoch, beganAtMs, readEpoch, clock } = read;
  const readAtMs = clock.agingMs();
  if (readAtMs - beganAtMs <= PLAN_AGE_MAX_MS) return true;
  return (await readEpoch()) === epoch && clock.agingMs() - readAtMs <= PLAN_AGE_MAX_MS;
}

/** Called before the reads. Throws AppError `unavailable`. */
export async function guardEpoch({
  readEpoch,
  clock,
}: {
  readEpoch: () => Promise<string>;
  clock: Clock;
}): Promise<EpochGuard> {
  const beganAtMs = clock.agingMs();
  const epoch = await readEpoch();
  return {
    epoch,
    async requireSame() {
      if (await isStillEpoch({ epoch, beganAtMs, readEpoch, clock })) return;
      throw new AppError(
        "unavailable",
        "Members were read so slowly that the ledger's epoch has changed, or may have changed. Nothing was changed: try again shortly.",
      );
    },
  };
}
