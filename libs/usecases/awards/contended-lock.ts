// Takes locks only while another process may award the same members: a group without them is committed one round trip
// earlier (decision 0034).
import { CONTENTION_LOOK_MS } from "#usecases/awards/bounds.ts";
import type { Contention } from "#usecases/awards/contention.ts";
import type { MemberLock } from "#usecases/awards/ports.ts";
import type { Clock, Meter } from "#usecases/ports.ts";

export function makeContendedLock(world: {
  lock: MemberLock;
  contention: Contention;
  clock: Clock;
  meter: Meter;
}): MemberLock {
  const { lock, contention, clock, meter } = world;
  let lockedAtMs = -Infinity;
  return {
    async acquire(members) {
      const wantedAtMs = clock.monotonicMs();
      const isNeeded = contention.isExpected();
      if (!isNeeded && wantedAtMs - lockedAtMs < CONTENTION_LOOK_MS) {
        meter.lockNotNeeded();
        return { granted: new Set(members), seqs: new Map(), release() {} };
      }
      lockedAtMs = wantedAtMs;
      const held = await lock.acquire(members);
      meter.lock((clock.monotonicMs() - wantedAtMs) / 1_000, members.length - held.granted.size);
      contention.locked(held.seqs.size);
      for (const id of members) if (!held.granted.has(id)) contention.found(id);
      // Without locks, the next awards would make a number outdated, and mislead the process that reads it.
      return isNeeded ? held : { ...held, release: () => held.release(new Map()) };
    },
  };
}
