// Applies an accepted batch: every admitted award through the committer, then the outcomes into the record, once.
//
// Safe to run twice, also at once: an award's key is the batch's id and its index, so the second run replays the first. Where the batch
// had an Idempotency-Key its id follows from that, so this also holds for a batch whose record was lost and that was accepted again.
import { batchAwardKey } from "#domain/award-key.ts";
import { AppError } from "#domain/app-error.ts";
import type { AwardCommitter } from "#usecases/award-committer.ts";
import { isRefused, type Batch, type BatchAward, type BatchOutcome } from "#usecases/batch.ts";
import { BATCH_AWARD_DEADLINE_MS } from "#usecases/bounds.ts";
import type { BatchStore, Clock, Log, Meter } from "#usecases/ports.ts";

export type BatchAggregate = { applied: number; rejected: number };

/**
 * Runs the batch to `done` and returns its counts; null when there is no such batch. Throws AppError `busy`, `unavailable` or
 * `outcome_unknown` when an award could not be settled (run it again later), `internal` when the record was lost meanwhile.
 */
export type RunBatch = (batchId: string) => Promise<BatchAggregate | null>;

export function makeRunBatch(world: {
  batches: Pick<BatchStore, "start" | "finish">;
  committer: AwardCommitter;
  clock: Clock;
  meter: Meter;
  log: Log;
}): RunBatch {
  return async function runBatch(batchId) {
    const batch = await world.batches.start(batchId, world.clock.now());
    if (!batch) return null;
    if (batch.state === "done") return aggregate(batch.outcomes);

    // All are awaited before any failure is told: a run that was given up must not go on in the background.
    const settled = await Promise.allSettled(batch.awards.map((award, index) => settle(batch, award, index)));
    const outcomes = settled.map((result) => {
      if (result.status === "rejected") throw result.reason;
      return result.value;
    });
    if (!(await world.batches.finish(batchId, outcomes, world.clock.now()))) {
      const { applied } = aggregate(outcomes);
      world.log.error({ batchId, clanId: batch.clanId, applied }, "batch.record_lost");
      throw new AppError("internal", `the record of ${batchId} was lost after ${applied} of its awards had been applied`);
    }
    world.meter.batchDone();
    return aggregate(outcomes);
  };

  async function settle(batch: Batch, award: BatchAward, index: number): Promise<BatchOutcome> {
    if (isRefused(award)) return award;
    const outcome = await world.committer.submit(
      {
        clanId: batch.clanId,
        platformId: award.platformId,
        key: batchAwardKey(batch.batchId, index),
        fingerprint: "",
        amount: award.amount,
        apiKeyId: batch.apiKeyId,
        batchId: batch.batchId,
      },
      BATCH_AWARD_DEADLINE_MS,
    );
    if (outcome.kind === "rejected") {
      // Only a clan that was removed by hand refuses an admitted award.
      throw new AppError("internal", `entry ${index} of ${batch.batchId} was refused: ${outcome.code}`);
    }
    return { platformId: award.platformId, xp: outcome.entry.xp, rank: outcome.entry.rank };
  }
}

function aggregate(outcomes: readonly BatchOutcome[]): BatchAggregate {
  const rejected = outcomes.filter(isRefused).length;
  return { applied: outcomes.length - rejected, rejected };
}
