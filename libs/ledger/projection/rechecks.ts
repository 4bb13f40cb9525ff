// Members with a commit that ended without a result are read again several times. An insert in the socket of a stopped
// MongoDB, or in a network buffer, may be executed long after its caller received a response, and no process is
// notified.
import { dropOldest } from "#async/drop-oldest.ts";
import type { MemberId } from "#domain/member-id.ts";
import { HEADS_UNPROJECTED_MAX, RECHECK_DELAYS_MS } from "#ledger/bounds.ts";
import type { Clock } from "#kernel/clock.ts";

export type Rechecks = {
  note(ids: Iterable<MemberId>): void;
  /** Number of members that will be read again. */
  waiting(): number;
  close(): void;
};

/** `recheck`: called with the members that are due. */
export function makeRechecks({
  recheck,
  clock,
}: {
  recheck: (ids: readonly MemberId[]) => void;
  clock: Clock;
}): Rechecks {
  /** `times`: how often the member was read already. */
  const watched = new Map<MemberId, { sinceMs: number; times: number }>();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  function note(ids: Iterable<MemberId>): void {
    for (const id of ids) {
      watched.delete(id);
      watched.set(id, { sinceMs: clock.monotonicMs(), times: 0 });
    }
    dropOldest(watched, HEADS_UNPROJECTED_MAX);
    schedule();
  }

  /** Sorted each time: a new member is due before those that were read already. */
  function schedule(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (closed || watched.size === 0) return;
    let nextMs = Infinity;
    for (const member of watched.values()) nextMs = Math.min(nextMs, dueMs(member));
    timer = setTimeout(recheckDue, Math.max(0, nextMs - clock.monotonicMs()));
  }

  function recheckDue(): void {
    const nowMs = clock.monotonicMs();
    const due: MemberId[] = [];
    for (const [id, member] of watched) {
      if (dueMs(member) > nowMs) continue;
      due.push(id);
      member.times += 1;
      if (member.times >= RECHECK_DELAYS_MS.length) watched.delete(id);
    }
    if (due.length > 0) recheck(due);
    schedule();
  }

  return {
    note,
    waiting: () => watched.size,
    close() {
      closed = true;
      if (timer) clearTimeout(timer);
    },
  };
}

function dueMs({ sinceMs, times }: { sinceMs: number; times: number }): number {
  return sinceMs + (RECHECK_DELAYS_MS[times] ?? 0);
}
