// Verifies one batch: its record against the entries that name it. A batch that is not done guarantees nothing yet.
import { batchAwardKey } from "#domain/award-key.ts";
import { ERASED } from "#domain/erased.ts";
import { isRejected, type Batch, type BatchOutcome } from "#domain/batch.ts";
import type { Difference, DifferenceKind } from "#operations/difference.ts";
import type { SnapshotEntry } from "#operations/ports.ts";

export type ReconcileBatch = {
  /** In any order. */
  add(entry: SnapshotEntry): void;
  close(): Difference[];
};

/** `isErasing`: a member is being erased. */
export function makeReconcileBatch(batchId: string, batch: Batch | null, isErasing: boolean): ReconcileBatch {
  const found: Difference[] = [];
  const applied = new Set<number>();
  // A batch whose details were deleted by age has no results to compare.
  const done = batch?.state === "done" && batch.appliedOnce === null ? batch : null;

  function note(
    kind: DifferenceKind,
    where: { clanId: string; platformId?: string; index?: number; seq?: number },
    detail: string,
  ): void {
    found.push({ kind, batchId, ...where, detail });
  }

  function addToDone({ clanId, outcomes }: Batch, entry: SnapshotEntry): void {
    const index = indexIn(batchId, entry.key);
    const where = { clanId, platformId: entry.platformId, ...(index === null ? {} : { index }), seq: entry.seq };
    const outcome = index === null ? undefined : outcomes[index];
    if (outcome?.platformId === ERASED) {
      // Its entry is deleted after the record has been changed.
      if (!isErasing) note("batch_result", where, "the ledger has an entry of a member who was erased");
      return;
    }
    if (entry.isCancellation) {
      if (outcome && isRejected(outcome) && outcome.code === "cancelled") return;
      note(
        "batch_result",
        where,
        "the ledger has an entry that cancels the award, but the record does not report it as cancelled",
      );
      return;
    }
    if (index === null || !outcome || isRejected(outcome)) {
      note("batch_result", where, "the ledger has an entry, but the record does not report the award as applied");
      return;
    }
    applied.add(index);
    const fault = faultOf(outcome, clanId, entry);
    if (fault) note("batch_result", where, fault);
  }

  return {
    add(entry) {
      if (done) addToDone(done, entry);
      else if (!batch && found.length === 0) {
        note(
          "batch_missing",
          { clanId: entry.clanId, platformId: entry.platformId, seq: entry.seq },
          "entries name a batch that has no record",
        );
      }
    },
    close() {
      if (!done) return found;
      const { clanId, awards, outcomes } = done;
      if (outcomes.length !== awards.length)
        note("batch_result", { clanId }, `${awards.length} awards have ${outcomes.length} results`);
      outcomes.forEach((outcome, index) => {
        if (isRejected(outcome) || applied.has(index) || outcome.platformId === ERASED) return;
        note(
          "batch_result",
          { clanId, platformId: outcome.platformId, index },
          "the record reports the award as applied, but the ledger has no entry",
        );
      });
      return found.toSorted((a, b) => (a.index ?? awards.length) - (b.index ?? awards.length));
    },
  };
}

function indexIn(batchId: string, key: string): number | null {
  const index = Number(key.slice(key.lastIndexOf("/") + 1));
  return key === batchAwardKey(batchId, index) ? index : null;
}

function faultOf(
  outcome: Exclude<BatchOutcome, { code: string }>,
  clanId: string,
  entry: SnapshotEntry,
): string | null {
  if (entry.clanId !== clanId || entry.platformId !== outcome.platformId) {
    return `the entry is of ${entry.clanId}/${entry.platformId}, the result of ${clanId}/${outcome.platformId}`;
  }
  if (entry.xp !== outcome.xp || entry.rank !== outcome.rank) {
    return `the result has ${outcome.xp} XP and ${outcome.rank}, the entry ${entry.xp} XP and ${entry.rank}`;
  }
  return null;
}
