// Finishes deletions of clans whose process crashed or lost its connections, and searches once more for data of those
// that were finished some time ago.
import { DELETION_LATE_MS, ERASURE_SILENCE_MS } from "#usecases/erasure/bounds.ts";
import type { DeleteClan } from "#usecases/erasure/delete-clan.ts";
import type { ClanDeletions } from "#usecases/erasure/ports.ts";
import type { Log } from "#runtime/ports.ts";

/** One after the other; throws what a deletion throws, and the next run continues. */
export type ResumeDeletions = () => Promise<void>;

export function makeResumeDeletions(deps: {
  deletions: Pick<ClanDeletions, "claimDue">;
  deleteClan: DeleteClan;
  log: Log;
}): ResumeDeletions {
  const { deletions, deleteClan, log } = deps;
  return async function resumeDeletions() {
    for (;;) {
      const deletion = await deletions.claimDue({ silentMs: ERASURE_SILENCE_MS, lateMs: DELETION_LATE_MS });
      if (!deletion) return;
      const { clanId, finishedAt } = deletion;
      if (finishedAt === null) log.warn({ clanId }, "deletion.resumed");
      const members = await deleteClan(deletion);
      if (finishedAt === null) log.info({ clanId, members }, "deletion.finished");
    }
  };
}
