// Heads are written only while what was read of them still holds: an erasure deletes a member once nothing older than
// its epoch can be on its way (docs/decisions/0028).
import { AppError } from "#domain/app-error.ts";
import { PLAN_AGE_MAX_MS } from "#usecases/bounds.ts";
import type { Clock } from "#usecases/ports.ts";

export type EpochGuard = {
  /** The epoch in which everything is read. */
  epoch: string;
  /**
   * Called before each write. Throws AppError `unavailable` if the reads are old and the epoch is another one, or not
   * known in time.
   */
  requireSame(): Promise<void>;
};

/** Called before the reads. Throws AppError `unavailable`. */
export async function guardEpoch({
  readEpoch,
  clock,
}: {
  readEpoch: () => Promise<string>;
  clock: Clock;
}): Promise<EpochGuard> {
  const beganAtMs = clock.monotonicMs();
  const epoch = await readEpoch();
  return {
    epoch,
    async requireSame() {
      const askedAtMs = clock.monotonicMs();
      if (askedAtMs - beganAtMs <= PLAN_AGE_MAX_MS) return;
      const isSame = (await readEpoch()) === epoch;
      if (isSame && clock.monotonicMs() - askedAtMs <= PLAN_AGE_MAX_MS) return;
      throw new AppError(
        "unavailable",
        "Members were read so slowly that the ledger's epoch has changed, or may have changed. Nothing was changed: try again shortly.",
      );
    },
  };
}
