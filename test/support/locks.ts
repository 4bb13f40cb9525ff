// Member locks without effect: the suite must pass with them, because only speed may depend on the lock.
import { noLock } from "#lock/no-lock.ts";
import type { MemberId } from "#domain/member-id.ts";
import type { MemberLock } from "#ledger/ports.ts";

/** Every number that a member was ever released with, in this process. */
const released = new Map<MemberId, number[]>();

/**
 * Grants at random, to several holders at the same time and after random delays. Its numbers are correct, old, from the
 * future or absent.
 */
const faultyLock: MemberLock = {
  async acquire(members) {
    if (Math.random() < 0.3) await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    const seqs = new Map<MemberId, number>();
    for (const member of members) {
      const known = released.get(member) ?? [0];
      const last = known.at(-1) ?? 0;
      const wrongSeqs = [
        last,
        last,
        known[Math.floor(Math.random() * known.length)] ?? 0,
        last + 1,
        last + 7,
        undefined,
      ];
      const seq = wrongSeqs[Math.floor(Math.random() * wrongSeqs.length)];
      if (seq !== undefined) seqs.set(member, seq);
    }
    return {
      granted: new Set(members.filter(() => Math.random() < 0.7)),
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
