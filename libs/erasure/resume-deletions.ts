// Finishes deletions of clans whose process crashed or lost its connections, and searches once more for data of those
// that were finished some time ago.
import { DELETION_LATE_MS, ERASURE_SILENCE_MS } from "#erasure/bounds.ts";
import type { DeleteClan } from "#erasure/delete-clan.ts";
import type { ClanDeletion, ClanDeletions } from "#erasure/ports.ts";
import { makeResumeAbandoned, type ResumeAbandoned } from "#erasure/resume-abandoned.ts";
import type { Log } from "#kernel/log.ts";

/** Failures are logged, and resumed again later. */
export function makeResumeDeletions(deps: {
  deletions: Pick<ClanDeletions, "claimDue">;
  deleteClan: DeleteClan;
  log: Log;
}): ResumeAbandoned {
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

  const due = { silentMs: ERASURE_SILENCE_MS, lateMs: DELETION_LATE_MS };
  return makeResumeAbandoned({ claim: () => deletions.claimDue(due), resume });
}
