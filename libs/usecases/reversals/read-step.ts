// Reads the awards of one step of a selection. An award that is named by its id is first searched for among the numbers
// of the member's entries: an id is a digest of its number, so no index contains it and no read is needed.
//
// Invariant: a step computes a bounded number of ids, and the next one begins where it ended.
import { AWARD_IDS_PER_STEP, AWARD_IDS_PER_TURN } from "#usecases/reversals/bounds.ts";
import type { AwardIdOf, AwardSelection } from "#usecases/reversals/ports.ts";

export type ReadStep = AwardSelection["read"];

export function makeReadStep(world: { selection: Pick<AwardSelection, "read">; awardIdOf: AwardIdOf }): ReadStep {
  const { selection, awardIdOf } = world;
  return async function readStep(selected, position, entriesMax) {
    if (selected.kind !== "award" || selected.awardId === undefined)
      return selection.read(selected, position, entriesMax);
    const { awardId, ...member } = selected;
    const first = Math.min(position, selected.seq);
    const last = Math.max(first - AWARD_IDS_PER_STEP, 0);
    for (let seq = first; seq > last; seq -= 1) {
      if (awardIdOf({ ...member, seq }) === awardId) return selection.read({ ...member, seq }, position);
      if (seq % AWARD_IDS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return { awards: [], next: last > 0 ? last : null };
  };
}
