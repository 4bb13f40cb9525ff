// Member locks that are none: the suite must pass with them, since nothing but speed may stand on the lock.
import type { MemberLock } from "#usecases/ports.ts";

const noLock: MemberLock = {
  acquire: async (members) => ({ granted: new Set(members), release() {} }),
};

/** Grants at random, to several holders at once, and takes its time at random. */
const lyingLock: MemberLock = {
  async acquire(members) {
    if (Math.random() < 0.3) await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    return { granted: new Set(members.filter(() => Math.random() < 0.7)), release() {} };
  },
};

/** The lock this run is about: undefined is the real one. */
export function lockOfThisRun(): { lock?: MemberLock } {
  switch (process.env["TEST_LOCK"]) {
    case "off":
      return { lock: noLock };
    case "chaos":
      return { lock: lyingLock };
    default:
      return {};
  }
}
