// A member lock without effect: suite and simulation must pass with it, because only speed may depend on the lock.
import type { MemberId } from "#domain/member-id.ts";
import type { MemberLock } from "#ledger/ports.ts";
import type { Chance } from "./chance.ts";

const RELEASES_KEPT = 20;

/**
 * Grants at random, to several holders at the same time and after random delays. Its seqs are correct, old, from the
 * future or absent.
 */
export function makeFaultyLock(chance: Chance, { delayMsMax }: { delayMsMax: number }): MemberLock {
  const released = new Map<MemberId, number[]>();
  return {
    async acquire(members) {
      if (chance.hits(0.3)) await new Promise((resolve) => setTimeout(resolve, chance.int(1, delayMsMax)));
      const seqs = new Map<MemberId, number>();
      for (const member of members) {
        const known = released.get(member) ?? [0];
        const last = known.at(-1) ?? 0;
        const seq = chance.pick([last, last, chance.pick(known), last + 1, last + 7, null]);
        if (seq !== null) seqs.set(member, seq);
      }
      return {
        granted: new Set(members.filter(() => chance.hits(0.7))),
        seqs,
        release(now) {
          for (const [member, seq] of now)
            released.set(member, [...(released.get(member) ?? []).slice(-RELEASES_KEPT), seq]);
        },
      };
    },
  };
}
