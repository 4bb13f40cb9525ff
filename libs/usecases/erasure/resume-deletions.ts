// Finishes deletions of clans whose process crashed or lost its connections, and searches once more for data of those
// that were finished some time ago.
import { DELETION_LATE_MS, ERASURE_SILENCE_MS, ERASURES_AT_ONCE } from "#usecases/erasure/bounds.ts";
import type { DeleteClan } from "#usecases/erasure/delete-clan.ts";
import type { ClanDeletion, ClanDeletions } from "#usecases/erasure/ports.ts";
import type { Log } from "#runtime/ports.ts";

/** Failures are logged, and resumed again later. Throws AppError `unavailable`. */
export type ResumeDeletions = () => Promise<void>;

export function makeResumeDeletions(deps: {
  deletions: Pick<ClanDeletions, "claimDue">;
  deleteClan: DeleteClan;
  log: Log;
}): ResumeDeletions {
  const { deletions, deleteClan, log } = deps;

  async function resume(deletion: ClanDeletion): Promise<void> {
    const { clanId, finishedAt } = deletion;
    try {
      if (finishedAt === null) log.warn({ clanId }, "deletion.resumed");
      const members = await deleteClan(deletion);
      if (finishedAt === null) log.info({ clanId, members }, "deletion.finished");
    } catch (error) {
      log.warn({ clanId, err: error }, "deletion.interrupted");
    }
  }

  return async function resumeDeletions() {
    const resumed: Promise<void>[] = [];
    while (resumed.length < ERASURES_AT_ONCE) {
      const deletion = await deletions.claimDue({ silentMs: ERASURE_SILENCE_MS, lateMs: DELETION_LATE_MS });
      if (!deletion) break;
      resumed.push(resume(deletion));
    }
    await Promise.all(resumed);
  };
}
