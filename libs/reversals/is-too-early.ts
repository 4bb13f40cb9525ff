// Whether a reversal or a reset must wait before it begins: what a batch or a reset applies after its reversal would
// stay, and so would what a reset cannot read yet.
import type { Correction, ResetState } from "#domain/reset.ts";
import { FIRST_MEMBER } from "#domain/reversal.ts";
import type { HasAllUntil } from "#ledger/has-all-until.ts";
import type { BatchStore } from "#batches/ports.ts";
import type { AwardSelection, RunStore } from "#reversals/ports.ts";

/** A reset that must wait for another one does not run any more. Throws AppError `unavailable`. */
export type IsTooEarly = (correction: Correction) => Promise<boolean>;

export function makeIsTooEarly(deps: {
  batches: Pick<BatchStore, "read">;
  selection: Pick<AwardSelection, "resetState" | "isResetBlocked">;
  reversals: Pick<RunStore, "putBack">;
  hasAllUntil: HasAllUntil;
}): IsTooEarly {
  const { batches, reversals, selection, hasAllUntil } = deps;

  return async function isTooEarly(correction) {
    const { selection: selected } = correction;
    const { clanId } = selected;
    switch (selected.kind) {
      case "batch": {
        const batch = await batches.read(selected.batchId);
        return batch?.clanId === clanId && batch.state !== "done";
      }
      case "reset":
        return isPending(await selection.resetState({ clanId, resetId: selected.resetId }));
      case "xp":
        // Two resets of a clan would take the same XP. Each records that it runs before it looks for others.
        if (!hasBegun(correction) && (await selection.isResetBlocked(selected))) {
          await reversals.putBack(selected.resetId);
          return true;
        }
        return !(await hasAllUntil(selected.at));
      default:
        return false;
    }
  };
}

function hasBegun({ attempt, position }: Correction): boolean {
  return attempt > 0 || position !== FIRST_MEMBER;
}

function isPending(state: ResetState | null): boolean {
  return state !== null && state !== "done" && state !== "cancelled";
}
