// The member lock of a run: the suite must pass with any, because only speed may depend on it.
import { noLock } from "#lock/no-lock.ts";
import type { MemberLock } from "#ledger/ports.ts";
import { chanceOf } from "./chance.ts";
import { makeFaultyLock } from "./faulty-lock.ts";
import { seedOfRun } from "./seed.ts";

/** One for all processes of a test file. */
const faultyLock = makeFaultyLock(chanceOf(seedOfRun()), { delayMsMax: 5 });

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
