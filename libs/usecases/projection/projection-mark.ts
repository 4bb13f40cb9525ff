// Records how far this process has projected its commits, so that a worker can project the rest if the process crashes.
//
// Invariant: no entry is committed before the process is on record, and every entry older than the recorded time is
// projected.
import { PROJECTION_MARGIN_MS, PROJECTION_NOTE_MS } from "#usecases/projection/bounds.ts";
import type { AwardStore } from "#usecases/awards/ports.ts";
import type { Clock, Log } from "#usecases/ports.ts";
import type { Projector } from "#usecases/projection/projector.ts";
import type { ProcessStore } from "#usecases/projection/ports.ts";

type ProjectionMark = {
  /** Commits only once the process is on record. */
  commit: AwardStore["commit"];
  /** Removes the record if everything is projected; otherwise the workers project the rest. Never rejects. */
  close(allIsProjected: boolean): Promise<void>;
};

/** `clock` never goes backwards: an entry that is committed after the record must not appear to be older. */
export function makeProjectionMark(world: {
  store: Pick<AwardStore, "commit">;
  processes: ProcessStore;
  projector: Pick<Projector, "oldestAgeMs">;
  processId: string;
  clock: Clock;
  log: Log;
}): ProjectionMark {
  const { store, processes, projector, processId, clock, log } = world;
  let recorded: Promise<void> | null = null;
  let noting: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function note(): Promise<void> {
    const projectedToMs = clock.now().getTime() - projector.oldestAgeMs() - PROJECTION_MARGIN_MS;
    return processes.note(processId, new Date(projectedToMs));
  }

  function noteAgain(): void {
    noting = note().catch((error: unknown) => log.debug({ err: error }, "projection.mark_failed"));
  }

  async function record(): Promise<void> {
    try {
      await note();
      timer = setInterval(noteAgain, PROJECTION_NOTE_MS);
    } catch (error) {
      recorded = null;
      throw error;
    }
  }

  return {
    async commit(entries) {
      try {
        await (recorded ??= record());
      } catch (error) {
        return { kind: "unavailable", stored: 0, cause: error };
      }
      return await store.commit(entries);
    },
    async close(allIsProjected) {
      clearInterval(timer);
      await noting;
      if (!recorded || !allIsProjected) return;
      await processes.remove(processId).catch((error: unknown) => log.debug({ err: error }, "projection.mark_failed"));
    },
  };
}
