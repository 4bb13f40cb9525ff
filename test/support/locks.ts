// Member locks without effect: the suite must pass with them, because only speed may depend on the lock.
import { noLock } from "#lock/no-lock.ts";
import type { MemberId } from "#domain/member-id.ts";
import type { MemberLock } from "#ledger/ports.ts";
import { chanceOf } from "./chance.ts";
import { seedOfRun } from "./seed.ts";

const chance = chanceOf(seedOfRun());
/** Every number that a member was ever released with, in this process. */
const released = new Map<MemberId, number[]>();

/**
 * Grants at random, to several holders at the same time and after random delays. Its numbers are correct, old, from the
 * future or absent.
 */
const faultyLock: MemberLock = {
  async acquire(members) {
    if (chance.hits(0.3)) await new Promise((resolve) => setTimeout(resolve, chance.next() * 5));
    const seqs = new Map<MemberId, number>();
    for (const member of members) {
      const known = released.get(member) ?? [0];
      const last = known.at(-1) ?? 0;
      const wrongSeqs = [last, last, chance.pick(known), last + 1, last + 7, null];
      const seq = chance.pick(wrongSeqs);
      if (seq !== null) seqs.set(member, seq);
    }
    return {
      granted: new Set(members.filter(() => chance.hits(0.7))),
      seqs,
      release(now) {
        for (const [member, seq] of now) released.set(member, [...(released.get(member) ?? []).slice(-20), seq]);
      },
    };
  },
};

/** The lock this run is about: undefined is the real one. */
export function lockOfThisRun(): { lock?: MemberLock } {
  switch (process.env["TEST_LOCK"]) {
    case "off":
      return { lock: noLock };
    case "chaos":
      return { lock: faultyLock };
    default:
      return {};
  }
}
