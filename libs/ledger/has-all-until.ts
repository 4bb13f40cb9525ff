// Whether the ledger has every entry up to a time: whether no process can still commit an entry that is dated at or
// before it.
//
// An entry is dated when it is decided, by the clock of its process, and committed later. Each process records the time
// before which it has nothing in progress (heads/process-record.ts). So a commit that takes long, and a clock that is
// behind, delay the answer and do not falsify it.
import { PLAN_AGE_MAX_MS, PROJECTION_MARGIN_MS } from "#ledger/bounds.ts";
import type { ProcessStore } from "#ledger/ports.ts";
import type { Clock } from "#kernel/clock.ts";

/** True: the ledger has them, and all of them are projected. Throws AppError `unavailable`. */
export type HasAllUntil = (at: Date) => Promise<boolean>;

export function makeHasAllUntil(deps: {
  processes: Pick<ProcessStore, "listNotes">;
  clock: Pick<Clock, "now">;
}): HasAllUntil {
  return async function hasAllUntil(at) {
    // A plan that was decided before the record and is committed after it is at most this old.
    const settledMs = at.getTime() + PLAN_AGE_MAX_MS;
    if (deps.clock.now().getTime() <= settledMs) return false;
    const notes = await deps.processes.listNotes();
    // Others have projected for a process that crashed, after its last commit.
    return notes.every(
      ({ projectedTo, passes }) => passes > 0 || projectedTo.getTime() + PROJECTION_MARGIN_MS > settledMs,
    );
  };
}
