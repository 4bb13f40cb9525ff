// Deletes events by age, of one clan after the other.
import type { BatchStore } from "#usecases/batches/ports.ts";
import type { EventRetention } from "#usecases/events/ports.ts";

/** As for batches, so that one use case applies each retention (apply-retention.ts). */
export function makeDeleteOldEvents(events: EventRetention): BatchStore["deleteDetails"] {
  return async function deleteOldEvents({ doneForMs, limit }) {
    let deleted = 0;
    for (let clanId = await events.nextClan(null); clanId !== null; clanId = await events.nextClan(clanId)) {
      deleted += await events.deleteOld(clanId, { olderThanMs: doneForMs, limit: limit - deleted });
      if (deleted === limit) break;
    }
    return deleted;
  };
}
