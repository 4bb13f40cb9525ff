// Deletes a clan with everything that is stored of it, once its record was begun: from then on nobody is admitted to
// the clan, and no process that reads its rules applies an award.
//
// It may stop anywhere, be repeated from the start, and run in several processes at the same time. The same two waits
// as those of an erasure ensure that nothing comes back: when data is deleted, no commit under the clan's old rules is
// in progress; when the last search begins, no process has cached heads of its members. No clan gets the same id, so
// deleting late does no harm (docs/decisions/0056).
import { logFailures } from "#async/failures.ts";
import { pause } from "#async/pause.ts";
import { repeat } from "#async/repeat.ts";
import type { MemberId } from "#domain/member-id.ts";
import type { EpochStore } from "#ledger/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import { ERASURE_ALIVE_EVERY_MS, ERASURE_CACHE_EXPIRY_MS, ERASURE_QUIET_MS } from "#erasure/bounds.ts";
import type { ClanData, ClanDeletion, ClanDeletions } from "#erasure/ports.ts";

/**
 * Deletes the data of a clan whose deletion has begun, and returns how many members it had. Throws AppError
 * `unavailable`, or an error of Redis; a worker continues later. `onProgress` receives how many documents are deleted.
 */
export type DeleteClan = (deletion: ClanDeletion, onProgress?: (documents: number) => void) => Promise<number>;

export function makeDeleteClan(deps: {
  deletions: Pick<ClanDeletions, "noteAlive" | "noteMembers" | "finish" | "close">;
  clanData: ClanData;
  epochs: Pick<EpochStore, "draw">;
  /** Deletes the data about these members that the locks store. */
  deleteLocks: (members: readonly MemberId[]) => Promise<void>;
  clock: Pick<Clock, "monotonicMs">;
  /** Interrupts a deletion between two steps. */
  stopping?: AbortSignal;
  log: Log;
}): DeleteClan {
  const { deletions, clanData, epochs, deleteLocks, clock, stopping, log } = deps;

  async function wait(ms: number): Promise<void> {
    await pause(ms, stopping);
    stopping?.throwIfAborted();
  }

  return async function deleteClan({ clanId, finishedAt }, onProgress = () => {}) {
    const failed = logFailures(log, "deletion.record_failed", { clanId });
    const alive = repeat(ERASURE_ALIVE_EVERY_MS, () => deletions.noteAlive(clanId), failed);
    try {
      if (finishedAt === null) return await deleteAll(clanId, onProgress);
      await deleteData(clanId, onProgress);
      await deletions.close(clanId);
      return 0;
    } finally {
      await alive.stop();
    }
  };

  async function deleteAll(clanId: string, onProgress: (documents: number) => void): Promise<number> {
    await epochs.draw();
    await wait(ERASURE_QUIET_MS);
    // All heads are projected by now, unless their process crashed.
    await deletions.noteMembers(clanId, await clanData.countMembers(clanId));
    let documents = await deleteData(clanId, onProgress);
    await epochs.draw();
    await wait(ERASURE_CACHE_EXPIRY_MS);
    for (let late = Infinity; late > 0; documents += late)
      late = await deleteData(clanId, (more) => onProgress(documents + more));
    return await deletions.finish(clanId);
  }

  /** Deletes half of the time at most: awards of other clans take precedence. Returns the number of documents. */
  async function deleteData(clanId: string, onProgress: (documents: number) => void): Promise<number> {
    let documents = 0;
    let beganAtMs = clock.monotonicMs();
    for await (const deleted of clanData.deleteData(clanId)) {
      await deleteLocks(deleted.members);
      documents += deleted.documents;
      onProgress(documents);
      await wait(clock.monotonicMs() - beganAtMs);
      beganAtMs = clock.monotonicMs();
    }
    return documents;
  }
}
