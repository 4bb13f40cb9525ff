// Heads that wait to be projected, oldest first. A head that replaces another keeps its position.
import type { MemberId } from "#domain/member-id.ts";
import type { Head } from "#domain/head.ts";
import {
  HEADS_PER_PROJECTION_MAX,
  HEADS_UNPROJECTED_MAX,
  PROJECTION_AGE_MAX_MS,
  PROJECTION_DELAY_MS,
} from "#ledger/bounds.ts";
import type { Clock } from "#kernel/clock.ts";

/** `head` null: it must be read. */
export type WaitingHead = { head: Head | null; epoch: string; sinceMs: number };

export function makeWaitingHeads(clock: Clock) {
  const waiting = new Map<MemberId, WaitingHead>();

  /** A member that must be read still has to be read: the ledger may be ahead of any head that is added. */
  function add(id: MemberId, next: WaitingHead): void {
    const before = waiting.get(id);
    if (!before) return void waiting.set(id, next);
    const { head, epoch, sinceMs } = before;
    if (!head) return;
    // If the heads are from two epochs, neither may be the newest: the later one may be from an older entry that was
    // read again.
    if (!next.head || next.epoch !== epoch) waiting.set(id, { head: null, epoch: "", sinceMs });
    else if (next.head.seq > head.seq) waiting.set(id, { ...next, sinceMs });
  }

  /** The first group of those that are still pending. */
  function take(ids: Iterable<MemberId>): Map<MemberId, WaitingHead> {
    const group = new Map<MemberId, WaitingHead>();
    for (const id of ids) {
      const next = waiting.get(id);
      if (next) group.set(id, next);
      waiting.delete(id);
      if (group.size >= HEADS_PER_PROJECTION_MAX) break;
    }
    return group;
  }

  /**
   * Moves them behind the others. A head that was added meanwhile may be newer, or from an older entry that was read
   * again.
   */
  function restore(id: MemberId, before: WaitingHead): void {
    const since = waiting.get(id);
    waiting.delete(id);
    waiting.set(id, before);
    if (since) add(id, since);
  }

  /** At half of the bound, the oldest head is due early. */
  function untilDueMs(): number {
    const [next] = waiting.values();
    if (!next || waiting.size > HEADS_UNPROJECTED_MAX / 2) return 0;
    return next.sinceMs + PROJECTION_DELAY_MS - clock.monotonicMs();
  }

  function isLate(): boolean {
    const [next] = waiting.values();
    const isOld = next !== undefined && clock.monotonicMs() - next.sinceMs > PROJECTION_AGE_MAX_MS;
    return isOld || waiting.size > HEADS_UNPROJECTED_MAX / 2;
  }

  /**
   * Of the pending heads and those that were taken. This is not the time of the first one: heads whose write failed
   * wait behind the others.
   */
  function oldestAgeMs(taken: Iterable<WaitingHead>): number {
    const now = clock.monotonicMs();
    let oldest = now;
    for (const heads of [taken, waiting.values()]) for (const { sinceMs } of heads) oldest = Math.min(oldest, sinceMs);
    return now - oldest;
  }

  return { size: () => waiting.size, ids: () => waiting.keys(), add, take, restore, untilDueMs, isLate, oldestAgeMs };
}
