// How far the lists of members are behind the ledger, from what the processes record every few seconds.
//
// A process records the time up to which it has projected, minus a margin. A crashed process is behind until a worker
// has projected for it.
import { PROCESS_SILENCE_MS, PROJECTION_MARGIN_MS } from "#ledger/bounds.ts";
import type { ProcessStore } from "#ledger/ports.ts";

/** `lagMs`: the largest; null if no process commits awards. */
export type ProjectionLag = { processes: number; lagMs: number | null };

/** Throws AppError `unavailable`. */
export type ReadProjectionLag = () => Promise<ProjectionLag>;

export function makeReadProjectionLag({
  processes,
}: {
  processes: Pick<ProcessStore, "listNotes">;
}): ReadProjectionLag {
  return async function readProjectionLag() {
    const notes = (await processes.listNotes()).filter(({ passes }) => passes === 0);
    const lags = notes.map(({ projectedTo, seenAt, silentMs }) => {
      const notedMs = seenAt.getTime() - projectedTo.getTime() - PROJECTION_MARGIN_MS;
      return Math.max(0, notedMs + (silentMs >= PROCESS_SILENCE_MS ? silentMs : 0));
    });
    return { processes: lags.length, lagMs: lags.length === 0 ? null : Math.max(...lags) };
  };
}
