// Queues batches that lost their job again, so that a Redis that was emptied, restarted or unavailable loses nothing.
//
// Invariant: whether a batch has waited long enough never depends on another machine's clock alone. A batch whose
// acceptance is in the future by this clock has waited since it was first seen here without a job.
import { chunks } from "#async/chunks.ts";
import { RECOVERY_AGE_MS, RECOVERY_PAGE } from "#batches/bounds.ts";
import type { AcceptedBatch, BatchStore, JobQueue } from "#batches/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

export type RecoveryReport = { unfinished: number; revived: number };

/**
 * Checks every unfinished batch, and queues those that have had no job for `ageMs`. Throws if MongoDB or Redis is
 * unavailable.
 */
export type RecoverBatches = (options?: { ageMs?: number }) => Promise<RecoveryReport>;

export function makeRecoverBatches(deps: {
  batches: Pick<BatchStore, "listUnfinished" | "readFacts">;
  queue: Pick<JobQueue, "listQueued" | "ensure">;
  clock: Clock;
  log: Log;
}): RecoverBatches {
  /** Batches that the last scan found without a job, and when they were first seen so. */
  let seenAtMs = new Map<string, number>();

  return async function recoverBatches({ ageMs = RECOVERY_AGE_MS } = {}) {
    const nowMs = deps.clock.monotonicMs();
    const recentSinceMs = deps.clock.now().getTime() - ageMs;
    const queued = await deps.queue.listQueued();
    const waiting = new Map<string, number>();
    const report: RecoveryReport = { unfinished: 0, revived: 0 };
    const lost: AcceptedBatch[] = [];
    for (let afterId: string | null = null; ;) {
      const page: string[] = await deps.batches.listUnfinished({ limit: RECOVERY_PAGE, afterId });
      const jobless = page.filter((batchId) => !queued.has(batchId));
      const facts = jobless.length > 0 ? await deps.batches.readFacts(jobless) : [];
      for (const fact of facts) {
        const firstSeenMs = seenAtMs.get(fact.batchId) ?? nowMs;
        if (fact.createdAt.getTime() < recentSinceMs || nowMs - firstSeenMs >= ageMs) lost.push(fact);
        else waiting.set(fact.batchId, firstSeenMs);
      }
      report.unfinished += page.length;
      afterId = page.at(-1) ?? null;
      if (page.length < RECOVERY_PAGE) break;
    }
    // Over all pages: the id of a batch with an idempotency key does not depend on its time.
    const oldestFirst = lost.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    for (const group of chunks(oldestFirst, RECOVERY_PAGE)) report.revived += await deps.queue.ensure(group);
    seenAtMs = waiting;
    if (report.revived > 0) deps.log.warn(report, "recovery_scan.requeued");
    return report;
  };
}
