// Reads the awards of one step of a selection. An award that is named by its id is first searched for among the numbers
// of the member's entries: an id is a digest of its number, so no index contains it and no read is needed.
//
// Invariants: a step computes a bounded number of ids, and the next one begins where it ended. One search runs at a
// time, in short turns with pauses, because the process serves others meanwhile
// (docs/decisions/0037-a-search-by-award-id-yields.md).
import { pause } from "#async/pause.ts";
import { makeSlots } from "#async/slots.ts";
import {
  AWARD_IDS_PER_CLOCK_READ,
  AWARD_IDS_PER_STEP,
  AWARD_IDS_REST_SHARE,
  AWARD_IDS_TURN_MS,
} from "#reversals/bounds.ts";
import type { ResetSelection } from "#domain/reset.ts";
import type { Position, Selection } from "#domain/reversal.ts";
import type { AwardIdOf, AwardSelection } from "#reversals/ports.ts";
import type { Clock } from "#kernel/clock.ts";

/** After `endMs` of the monotonic clock, a search ends its step early. */
export type ReadStep = (
  selected: Selection | ResetSelection,
  position: Position,
  options?: Parameters<AwardSelection["read"]>[2] & { endMs?: number },
) => ReturnType<AwardSelection["read"]>;

export function makeReadStep(deps: {
  selection: Pick<AwardSelection, "read">;
  awardIdOf: AwardIdOf;
  clock: Pick<Clock, "monotonicMs">;
}): ReadStep {
  const { selection, awardIdOf, clock } = deps;
  const searches = makeSlots({ max: 1 });

  return async function readStep(selected, position, { endMs = Infinity, ...options } = {}) {
    if (selected.kind !== "award" || selected.awardId === undefined) return selection.read(selected, position, options);
    const { awardId, ...member } = selected;
    const first = Math.min(Number(position), selected.seq);
    const last = Math.max(first - AWARD_IDS_PER_STEP, 0);
    const isIt = (seq: number): boolean => awardIdOf({ ...member, seq }) === awardId;
    const { found, seq } = await searches.run(() => search(isIt, { first, last, endMs }));
    if (found) return selection.read({ ...member, seq }, position);
    return { awards: [], next: seq > 0 ? seq : null };
  };

  /** Where the search ended: at the number that was found, or before the first one that was not compared. */
  async function search(
    isIt: (seq: number) => boolean,
    { first, last, endMs }: { first: number; last: number; endMs: number },
  ): Promise<{ found: boolean; seq: number }> {
    let turnMs = clock.monotonicMs();
    for (let seq = first; seq > last; seq -= 1) {
      if (seq % AWARD_IDS_PER_CLOCK_READ === 0) {
        const spentMs = clock.monotonicMs() - turnMs;
        if (spentMs >= AWARD_IDS_TURN_MS) await pause(spentMs * AWARD_IDS_REST_SHARE);
        if (clock.monotonicMs() > endMs) return { found: false, seq };
        if (spentMs >= AWARD_IDS_TURN_MS) turnMs = clock.monotonicMs();
      }
      if (isIt(seq)) return { found: true, seq };
    }
    return { found: false, seq: last };
  }
}
