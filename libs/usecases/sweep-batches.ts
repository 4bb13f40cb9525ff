// Gives batches that lost their job a new one: a Redis that was emptied, restarted or away loses nothing.
import { batchIdMs } from "#domain/batch-id.ts";
import { SWEEP_AGE_MS, SWEEP_PAGE } from "#usecases/bounds.ts";
import type { BatchStore, Clock, JobQueue, Log } from "#usecases/ports.ts";

export type SweepReport = { unfinished: number; revived: number };

/** Looks at every unfinished batch that is not younger than `ageMs`, oldest first. Throws when MongoDB or Redis is away: sweep again later. */
export type SweepBatches = (options?: { ageMs?: number }) => Promise<SweepReport>;

export function makeSweepBatches(world: {
  batches: Pick<BatchStore, "listUnfinished">;
  queue: Pick<JobQueue, "listQueued" | "ensure">;
  clock: Clock;
  log: Log;
}): SweepBatches {
  return async function sweepBatches({ ageMs = SWEEP_AGE_MS } = {}) {
    const nowMs = world.clock.now().getTime();
    // What seems to come from the future was accepted by a process whose clock is ahead, or this one's is behind: it may be of any age.
    const isYoung = (batchId: string): boolean => batchIdMs(batchId) >= nowMs - ageMs && batchIdMs(batchId) <= nowMs;
    const queued = await world.queue.listQueued();
    const report: SweepReport = { unfinished: 0, revived: 0 };
    for (let afterId: string | null = null; ;) {
      const page: string[] = await world.batches.listUnfinished({ limit: SWEEP_PAGE, afterId });
      const unfinished = page.filter((batchId) => !isYoung(batchId));
      const lost = unfinished.filter((batchId) => !queued.has(batchId));
      if (lost.length > 0) report.revived += await world.queue.ensure(lost);
      report.unfinished += unfinished.length;
      afterId = page.at(-1) ?? null;
      if (page.length < SWEEP_PAGE) break;
    }
    if (report.revived > 0) world.log.warn(report, "sweep.revived");
    return report;
  };
}
