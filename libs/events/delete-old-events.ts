// Deletes events by age, of one clan after the other.
import type { DeleteOld } from "#batches/apply-retention.ts";
import type { EventRetention } from "#events/ports.ts";

/** `stopping`: the worker is about to exit, and no further clan is looked at. */
export function makeDeleteOldEvents(events: EventRetention, stopping: AbortSignal): DeleteOld {
  /** The last clan that has nothing more to delete, so that a step does not look at it again. */
  let after: string | null = null;

  return async function deleteOldEvents({ olderThanMs, limit }) {
    let deleted = 0;
    for (;;) {
      const next = stopping.aborted ? null : await events.nextClan(after, { olderThanMs });
      const before = after;
      // Before anything is deleted: a clan of which this fails does not keep the next run from those behind it.
      after = next?.clanId ?? null;
      if (!next) return deleted;
      if (next.hasOld) deleted += await events.deleteOld(next.clanId, { olderThanMs, limit: limit - deleted });
      if (deleted === limit) {
        after = before;
        return deleted;
      }
    }
  };
}
