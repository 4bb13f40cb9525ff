// Applies an accepted batch: submits every admitted award to the committer, then writes the outcomes into the record,
// once.
//
// Safe to run twice, also concurrently: an award's key is the batch's id and its index, so the second run replays the
// first. The id of a batch with an Idempotency-Key is derived from it, so this also holds if the record was lost and
// the batch was accepted again.
import { batchAwardKey, CANCELLATION } from "#domain/award-key.ts";
import { AppError } from "#kernel/app-error.ts";
import {
  appliedIn,
  CANCELLED_DETAIL,
  isRejected,
  type Batch,
  type BatchAward,
  type BatchOutcome,
} from "#domain/batch.ts";
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { BATCH_AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import type { BatchStore } from "#batches/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import type { Meter } from "#telemetry/meter.ts";

export type BatchAggregate = { applied: number; rejected: number };

/**
 * Runs the batch to `done` and returns its counts; null if there is no such batch. Throws AppError `busy`,
 * `unavailable` or `outcome_unknown` if an award could not be settled (run it again later), `internal` if the record
 * was lost meanwhile.
 */
export type RunBatch = (batchId: string) => Promise<BatchAggregate | null>;

export function makeRunBatch(deps: {
  batches: Pick<BatchStore, "start" | "finish">;
  committer: Pick<Ledger, "submit">;
  clock: Clock;
  meter: Meter;
  log: Log;
}): RunBatch {
  return async function runBatch(batchId) {
    const batch = await deps.batches.start(batchId, deps.clock.now());
    if (!batch) return null;
    if (batch.state === "done") return aggregate(batch);

    // All are awaited before a failure is reported: a failed run must not continue in the background.
    const settled = await Promise.allSettled(batch.awards.map((award, index) => settle(batch, award, index)));
    const outcomes = settled.map((result) => {
      if (result.status === "rejected") throw result.reason;
      return result.value;
    });
    if (!(await deps.batches.finish(batchId, outcomes))) {
      const { applied } = aggregate({ outcomes, appliedOnce: null });
      deps.log.error({ batchId, clanId: batch.clanId, applied }, "batch.record_lost");
      throw new AppError(
        "internal",
        `the record of ${batchId} was lost after ${applied} of its awards had been applied`,
      );
    }
    deps.meter.batchDone();
    return aggregate({ outcomes, appliedOnce: null });
  };

  async function settle(batch: Batch, award: BatchAward, index: number): Promise<BatchOutcome> {
    if (isRejected(award)) return award;
    const { platformId } = award;
    const named = {
      clanId: batch.clanId,
      platformId,
      key: batchAwardKey(batch.batchId, index),
      apiKeyId: batch.apiKeyId,
      batchId: batch.batchId,
    };
    // The first entry under the award's key in the ledger decides for every run: the award, or the entry that replaces
    // it.
    const cancellation = { ...named, fingerprint: CANCELLATION, amount: 0n, reason: CANCELLED_DETAIL };
    if (batch.cancelled && (await apply(cancellation))) return cancelled(platformId);
    const entry = await apply({ ...named, fingerprint: "", amount: award.amount });
    return entry ? { platformId, xp: entry.xp, rank: entry.rank } : cancelled(platformId);
  }

  /** The entry that replaces this award; null if another one has its key, or if the clan was deleted. */
  async function apply(award: Award): Promise<Entry | null> {
    const outcome = await deps.committer.submit(award, BATCH_AWARD_DEADLINE_MS);
    return outcome.kind === "rejected" ? null : outcome.entry;
  }

  function cancelled(platformId: string): BatchOutcome {
    return { platformId, code: "cancelled", detail: CANCELLED_DETAIL };
  }
}

function aggregate(batch: Pick<Batch, "outcomes" | "appliedOnce">): BatchAggregate {
  return { applied: appliedIn(batch), rejected: batch.outcomes.filter(isRejected).length };
}
