// Whether a reversal or a reset must wait before it begins: what a batch or a reset applies after its reversal would
// stay, and so would what a reset cannot read yet.
import type { Correction, ResetState } from "#domain/reset.ts";
import type { HasAllUntil } from "#ledger/has-all-until.ts";
import type { BatchStore } from "#usecases/batches/ports.ts";
import type { AwardSelection } from "#usecases/reversals/ports.ts";

/** Throws AppError `unavailable`. */
export type IsTooEarly = (correction: Correction) => Promise<boolean>;

export function makeIsTooEarly(deps: {
  batches: Pick<BatchStore, "read">;
  selection: Pick<AwardSelection, "resetState" | "hasEarlierReset">;
  hasAllUntil: HasAllUntil;
}): IsTooEarly {
  const { batches, selection, hasAllUntil } = deps;

  return async function isTooEarly({ selection: selected }) {
    const { clanId } = selected;
    switch (selected.kind) {
      case "batch": {
        const batch = await batches.read(selected.batchId);
        return batch?.clanId === clanId && batch.state !== "done";
      }
      case "reset":
        return isPending(await selection.resetState({ clanId, resetId: selected.resetId }));
      case "xp":
        // Two resets of a clan would take the same XP.
        return (await selection.hasEarlierReset(selected)) || !(await hasAllUntil(selected.at));
      default:
        return false;
    }
  };
}

function isPending(state: ResetState | null): boolean {
  return state !== null && state !== "done" && state !== "cancelled";
}
