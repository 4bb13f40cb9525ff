// Takes locks only while another process may award the same members: a group without them is committed one round trip
// earlier (decision 0046). Locks only avoid conflicts, so a process that has detected no other one does not need them.
import { CONTENTION_CHECK_MS, CONTENTION_MS } from "#ledger/bounds.ts";
import type { LedgerMeter, MemberLock } from "#ledger/ports.ts";
import type { MemberId } from "#domain/member-id.ts";
import type { Clock } from "#kernel/clock.ts";

export type Contention = {
  /** Another process awards the same members: a conflict, a lock that it holds, or a head that it has moved. */
  found(): void;
  /** Whether locks are needed: for CONTENTION_MS after a start and after each sign of another process. */
  isExpected(): boolean;
};

export function makeContention(clock: Clock, forMs = CONTENTION_MS): Contention {
  const untilMs = (): number => clock.monotonicMs() + forMs;
  let expectedUntilMs = untilMs();
  return {
    found: () => void (expectedUntilMs = untilMs()),
    isExpected: () => clock.monotonicMs() < expectedUntilMs,
  };
}

export type ContendedLock = {
  /** `seqs` is null if no locks were needed, and has 0 for a member whose head need not be read. Never rejects. */
  acquire(members: readonly MemberId[]): Promise<{
    granted: ReadonlySet<MemberId>;
    seqs: ReadonlyMap<MemberId, number> | null;
    release(seqs: ReadonlyMap<MemberId, number>): void;
  }>;
};

export function makeContendedLock(deps: {
  lock: MemberLock;
  contention: Contention;
  clock: Clock;
  meter: LedgerMeter;
}): ContendedLock {
  const { lock, contention, clock, meter } = deps;
  let lockedAtMs = -Infinity;
  return {
    async acquire(members) {
      const requestedAtMs = clock.monotonicMs();
      const isExpected = contention.isExpected();
      if (!isExpected && requestedAtMs - lockedAtMs < CONTENTION_CHECK_MS) {
        meter.lockNotNeeded();
        return { granted: new Set(members), seqs: null, release() {} };
      }
      lockedAtMs = requestedAtMs;
      const locks = await lock.acquire(members);
      const contended = members.length - locks.granted.size;
      meter.lock((clock.monotonicMs() - requestedAtMs) / 1_000, contended);
      if (contended > 0) contention.found();
      if (isExpected) return locks;
      // Where no other process is expected, a missing seq is no reason to read the head. None is stored: the next
      // awards without locks would make it outdated, and mislead the process that reads it.
      const seqs = new Map(members.map((id) => [id, locks.seqs.get(id) ?? 0]));
      return { granted: locks.granted, seqs, release: () => locks.release(new Map()) };
    },
  };
}
