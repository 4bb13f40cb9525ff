// Records how far this process has projected its commits, so that a worker can project the rest if the process crashes.
//
// Invariant: no entry is committed before the process is on record, and every entry older than the recorded time is
// projected. The time of an entry is compared with the times of other entries of this process only, never with a
// duration. So the invariant holds if the clock is set forward or back: before an entry that is older than the recorded
// time is committed, an earlier time is recorded.
import { AppError } from "#domain/app-error.ts";
import {
  PROJECTION_GROUP_MS,
  PROJECTION_MARGIN_MS,
  PROJECTION_NOTE_MS,
  PROJECTION_NOTE_MS_MAX,
} from "#usecases/projection/bounds.ts";
import type { AwardStore } from "#usecases/awards/ports.ts";
import type { Clock, Log } from "#usecases/ports.ts";
import type { Projector } from "#usecases/projection/projector.ts";
import type { ProcessStore } from "#usecases/projection/ports.ts";

type ProjectionMark = {
  /** Commits only once the process is on record, with a time that is earlier than these entries. */
  commit: AwardStore["commit"];
  /** Removes the record if everything is projected; otherwise the workers project the rest. Never rejects. */
  close(allIsProjected: boolean): Promise<void>;
};

// oxlint-disable-next-line eslint/max-lines-per-function -- commits and the record before them are one state
export function makeProjectionMark(world: {
  store: Pick<AwardStore, "commit">;
  processes: ProcessStore;
  projector: Pick<Projector, "oldestAgeMs">;
  processId: string;
  clock: Clock;
  log: Log;
}): ProjectionMark {
  const { store, processes, projector, processId, clock, log } = world;
  /** The oldest entry of each commit in progress. */
  const inProgress = new Set<{ atMs: number }>();
  /** The same for commits that ended in one second, until the projector has no head that it received by `untilMs`. */
  let ended: { atMs: number; sinceMs: number; untilMs: number }[] = [];
  /** The latest time that may be on record. */
  let recordedToMs = -Infinity;
  let notes = 0;
  let recorded: Promise<void> | null = null;
  let noting: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function projectedToMs(): number {
    const unprojectedSinceMs = clock.monotonicMs() - projector.oldestAgeMs();
    ended = ended.filter(({ untilMs }) => untilMs >= unprojectedSinceMs);
    let oldestMs = clock.now().getTime();
    for (const commits of [inProgress, ended]) for (const { atMs } of commits) oldestMs = Math.min(oldestMs, atMs);
    return oldestMs - PROJECTION_MARGIN_MS;
  }

  /** One after the other, so that the last one counts. A note that MongoDB executes late is outdated by its number. */
  function note(): Promise<void> {
    const noted = noting.then(async () => {
      const toMs = projectedToMs();
      recordedToMs = Math.max(recordedToMs, toMs);
      notes += 1;
      await processes.note(processId, { projectedTo: new Date(toMs), number: notes });
      recordedToMs = toMs;
    });
    noting = noted.catch((error: unknown) => log.debug({ err: error }, "projection.mark_failed"));
    return noted;
  }

  async function record(): Promise<void> {
    try {
      await note();
      timer = setInterval(() => void note().catch(() => {}), PROJECTION_NOTE_MS);
    } catch (error) {
      recorded = null;
      throw error;
    }
  }

  /** Throws AppError `unavailable`, also if it takes so long that the entries must be decided again. */
  async function recordBefore(atMs: number): Promise<void> {
    const beganAtMs = clock.monotonicMs();
    await (recorded ??= record());
    if (atMs < recordedToMs) await note();
    if (clock.monotonicMs() - beganAtMs > PROJECTION_NOTE_MS_MAX)
      throw new AppError("unavailable", "MongoDB stored the record of this process too slowly: try again shortly.");
  }

  function noteEnded(commit: { atMs: number }): void {
    inProgress.delete(commit);
    const nowMs = clock.monotonicMs();
    const last = ended.at(-1);
    if (last && nowMs - last.sinceMs < PROJECTION_GROUP_MS) {
      last.atMs = Math.min(last.atMs, commit.atMs);
      last.untilMs = nowMs;
    } else ended.push({ ...commit, sinceMs: nowMs, untilMs: nowMs });
  }

  return {
    async commit(entries) {
      const commit = { atMs: Math.min(...entries.map(({ at }) => at.getTime())) };
      inProgress.add(commit);
      try {
        await recordBefore(commit.atMs);
      } catch (error) {
        inProgress.delete(commit);
        return { kind: "unavailable", stored: 0, cause: error };
      }
      const result = await store.commit(entries);
      // By then, the committer has passed the heads to the projector.
      setImmediate(noteEnded, commit);
      return result;
    },
    async close(allIsProjected) {
      clearInterval(timer);
      await noting;
      if (!recorded || !allIsProjected) return;
      await processes.remove(processId).catch((error: unknown) => log.debug({ err: error }, "projection.mark_failed"));
    },
  };
}
