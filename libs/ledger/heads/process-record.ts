// This process's record in the database, which it renews every few seconds. It shows two things:
//
// - How far the process has projected its commits, so that a worker can project the rest if the process crashes.
//   Invariant: every entry older than the recorded time is projected. The time of an entry is compared with the times
//   of other entries of this process only, never with a duration. So the invariant holds if the clock is set forward or
//   back: before an entry that is older than the recorded time is committed, an earlier time is recorded.
// - Whether the database went back, as a restored backup does: its record is then older than the one that this process
//   wrote last. Invariant: no head is read or cached before the process is on record. A database that went back while
//   it was stopped also interrupts the connections, and this shows first (decision 0045).
import { logFailures } from "#async/failures.ts";
import { repeat, type Repeated } from "#async/repeat.ts";
import { withTimeout } from "#async/with-timeout.ts";
import { AppError } from "#kernel/app-error.ts";
import {
  PROJECTION_GROUP_MS,
  PROJECTION_MARGIN_MS,
  RECORD_EVERY_MS,
  RECORD_REPLY_MS_MAX,
  RECORD_RETRY_MS,
  RECORD_WAIT_MS_MAX,
} from "#ledger/bounds.ts";
import type { LedgerStore, ProcessStore } from "#ledger/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

export type ProcessRecord = {
  /**
   * How many times the database went back, or may have gone back while the connections to it were interrupted: heads
   * that were read or cached before must be dropped. Throws AppError `unavailable` if the process is not on record yet
   * and cannot be recorded now.
   */
  resets(): Promise<number>;
  /** Commits, after a time that is earlier than these entries is on record. */
  commit: LedgerStore["commit"];
  /** Removes the record if everything is projected; otherwise the workers project the rest. Never rejects. */
  close(allIsProjected: boolean): Promise<void>;
};

// oxlint-disable-next-line eslint/max-lines-per-function -- the record and the commits that it describes are one state
export function makeProcessRecord(deps: {
  store: Pick<LedgerStore, "commit">;
  processes: Pick<ProcessStore, "note" | "remove" | "interruptions">;
  /** How long the oldest head of this process has waited that is not projected. */
  oldestUnprojectedMs: () => number;
  processId: string;
  clock: Clock;
  log: Log;
}): ProcessRecord {
  const { store, processes, oldestUnprojectedMs, processId, clock, log } = deps;
  /** The oldest entry of each commit in progress. */
  const inProgress = new Set<{ atMs: number }>();
  /** The same for commits that ended in one second, until the projector has no head that it received by `untilMs`. */
  let ended: { atMs: number; sinceMs: number; untilMs: number }[] = [];
  /** The latest time that may be on record; before the first record, no commit is late enough. */
  let recordedToMs = Infinity;
  let notes = 0;
  /** The number of the last note that MongoDB has acknowledged, and when that note was sent. */
  let acknowledged = 0;
  let acknowledgedAtMs = -Infinity;
  let wentBack = 0;
  let noting: Promise<void> = Promise.resolve();
  const failed = logFailures(log, "projection.mark_failed");
  let first: Promise<void> | null = null;
  let renewing: Repeated | null = null;

  function projectedToMs(): number {
    const unprojectedSinceMs = clock.monotonicMs() - oldestUnprojectedMs();
    ended = ended.filter(({ untilMs }) => untilMs >= unprojectedSinceMs);
    let oldestMs = clock.now().getTime();
    for (const commits of [inProgress, ended]) for (const { atMs } of commits) oldestMs = Math.min(oldestMs, atMs);
    return oldestMs - PROJECTION_MARGIN_MS;
  }

  async function write(): Promise<void> {
    const sentAtMs = clock.agingMs();
    const toMs = projectedToMs();
    recordedToMs = Math.max(recordedToMs, toMs);
    notes += 1;
    const number = notes;
    const noted = processes.note(processId, { projectedTo: new Date(toMs), number });
    // The next one uses another connection: awards must not wait for one that the driver has lost.
    const before = await withTimeout(noted, RECORD_REPLY_MS_MAX, tooSlow);
    if (before < acknowledged) {
      wentBack += 1;
      log.warn({}, "ledger.went_back");
    }
    acknowledged = number;
    acknowledgedAtMs = sentAtMs;
    recordedToMs = toMs;
    renewing ??= repeat(pauseMs, note, () => {});
  }

  function pauseMs(): number {
    return clock.agingMs() - acknowledgedAtMs < RECORD_EVERY_MS ? RECORD_EVERY_MS : RECORD_RETRY_MS;
  }

  /** One after the other, so that the last one counts. A note that MongoDB executes late is outdated by its number. */
  function note(): Promise<void> {
    const noted = noting.then(write);
    noting = noted.catch(failed);
    return noted;
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

  /** Throws AppError `unavailable`, also if it takes so long that the entries must be decided again. */
  async function recordBefore(atMs: number): Promise<void> {
    if (atMs >= recordedToMs) return;
    const beganAtMs = clock.monotonicMs();
    await note();
    if (clock.monotonicMs() - beganAtMs > RECORD_WAIT_MS_MAX) throw tooSlow();
  }

  return {
    async resets() {
      if (acknowledged === 0) await (first ??= note().finally(() => (first = null)));
      return wentBack + processes.interruptions();
    },
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
      await renewing?.stop();
      await noting;
      if (acknowledged === 0 || !allIsProjected) return;
      await processes.remove(processId).catch(failed);
    },
  };
}

function tooSlow(): AppError {
  return new AppError("unavailable", "MongoDB stored the record of this process too slowly: try again shortly.");
}
