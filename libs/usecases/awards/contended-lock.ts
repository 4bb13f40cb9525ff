// Takes locks only while another process may award the same members: a group without them is committed one round trip
// earlier (decision 0034).
import { dropOldest } from "#async/drop-oldest.ts";
import { CONTENTION_CHECK_MS, NUMBERS_UNPUBLISHED_MAX } from "#usecases/awards/bounds.ts";
import type { Contention } from "#usecases/awards/contention.ts";
import type { KnownHeads } from "#usecases/awards/known-heads.ts";
import type { MemberLock } from "#usecases/awards/ports.ts";
import type { MemberId } from "#domain/member-id.ts";
import type { Clock, Meter } from "#usecases/ports.ts";

export type ContendedLock = Pick<MemberLock, "acquire"> & {
  /**
   * Publishes the numbers that another process needs to award these members. The last groups may still release their
   * members afterwards.
   */
  close(): void;
};

// oxlint-disable-next-line eslint/max-lines-per-function -- awards to lock and outdated numbers are one state
export function makeContendedLock(world: {
  lock: MemberLock;
  contention: Contention;
  heads: Pick<KnownHeads, "epoch" | "seqOf" | "isSuspect">;
  clock: Clock;
  meter: Meter;
}): ContendedLock {
  const { lock, contention, heads, clock, meter } = world;
  let allLockedAtMs = -Infinity;
  /** Members that were awarded without locks: their numbers in Redis are outdated. */
  const unpublished = new Set<MemberId>();
  let idle: NodeJS.Timeout | null = null;
  let closed = false;

  /**
   * The numbers are read by other processes only. They are published when this process is idle or detects another one.
   */
  async function publish(): Promise<void> {
    if (idle) clearTimeout(idle);
    idle = null;
    const ids = [...unpublished];
    unpublished.clear();
    try {
      // Excludes members that were erased since: this process may have been paused meanwhile.
      await heads.epoch();
    } catch {
      return;
    }
    const seqs = new Map<MemberId, number>();
    for (const id of ids) {
      const seq = heads.seqOf(id);
      if (seq !== undefined) seqs.set(id, seq);
    }
    lock.publish(seqs);
  }

  function publishLater(members: Iterable<MemberId>): void {
    for (const id of members) unpublished.add(id);
    dropOldest(unpublished, NUMBERS_UNPUBLISHED_MAX);
    if (closed) void publish();
    else if (idle) idle.refresh();
    else idle = setTimeout(() => void publish(), CONTENTION_CHECK_MS).unref();
  }

  return {
    async acquire(members) {
      const requestedAtMs = clock.monotonicMs();
      const isNeeded = contention.isExpected();
      if (isNeeded && unpublished.size > 0) await publish();
      const isAll = isNeeded || requestedAtMs - allLockedAtMs >= CONTENTION_CHECK_MS;
      const requested = isAll ? members : members.filter(heads.isSuspect);
      if (requested.length === 0) {
        meter.lockNotNeeded();
        return { granted: new Set(members), seqs: new Map(), release: (seqs) => publishLater(seqs.keys()) };
      }
      if (isAll) allLockedAtMs = requestedAtMs;
      const held = await lock.acquire(requested);
      const contended = new Set(requested.filter((id) => !held.granted.has(id)));
      meter.lock((clock.monotonicMs() - requestedAtMs) / 1_000, contended.size);
      contention.locked(held.seqs.size);
      for (const id of contended) contention.found(id);
      if (isNeeded) return held;
      return {
        granted: new Set(members.filter((id) => !contended.has(id))),
        seqs: held.seqs,
        // Without locks, the next awards would make a number outdated, and mislead the process that reads it.
        release(seqs) {
          held.release(new Map());
          publishLater(seqs.keys());
        },
      };
    },
    close() {
      closed = true;
      void publish();
    },
  };
}
