// Takes locks only while another process may award the same members: a group without them is committed one round trip
// earlier (decision 0034).
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
  return {
    async acquire(members) {
      if (!contention.isExpected()) {
        meter.lockNotNeeded();
        return { granted: new Set(members), seqs: new Map(), release() {} };
      }
      const wantedAtMs = clock.monotonicMs();
      const held = await lock.acquire(members);
      meter.lock((clock.monotonicMs() - wantedAtMs) / 1_000, members.length - held.granted.size);
      contention.locked(held.granted.size);
      for (const id of members) if (!held.granted.has(id)) contention.found(id);
      return held;
    },
  };
}
