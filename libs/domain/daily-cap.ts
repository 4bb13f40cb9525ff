// The most that a member can gain in a UTC day by awards of API keys, where a clan sets it. What was gained is counted
// in the member's chain: each entry carries the count after it, as part of the head.
//
// Invariant: for each UTC day, by the time `at` of the entries, at most the cap is gained.
import { isByPerson, type Award } from "#domain/award.ts";

/** `since` rises whenever a cap is set where none was: what was gained before that does not count. */
export type DailyCap = { xp: bigint; since: number };

/**
 * What a member has gained since the cap was set. `day`: the newest UTC day of the member's entries, in days since 1970.
 * The day before it is counted, too: at midnight a process whose clock is behind still makes entries of that day.
 */
export type DayGains = { since: number; day: number; gained: bigint; gainedBefore: bigint };

const DAY_MS = 24 * 60 * 60_000;

function dayOf(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}

/** The count at this time, before the entry of this time. */
export function gainsAt(cap: DailyCap, gains: DayGains | undefined, at: Date): DayGains {
  const day = dayOf(at);
  const none = { since: cap.since, day, gained: 0n, gainedBefore: 0n };
  // A process that has not read the newest setting yet keeps the count of one that has.
  if (!gains || gains.since < cap.since) return none;
  if (day === gains.day || day === gains.day - 1) return gains;
  return { ...none, since: gains.since, gainedBefore: day === gains.day + 1 ? gains.gained : 0n };
}

/** What the cap leaves of this amount, at this time. */
export function withinDay(cap: DailyCap, gains: DayGains, { amount, at }: { amount: bigint; at: Date }): bigint {
  const left = cap.xp - (dayOf(at) === gains.day ? gains.gained : gains.gainedBefore);
  if (amount <= left) return amount;
  return left > 0n ? left : 0n;
}

/** The count after something was gained at this time, or given back (negative). */
export function addGain(gains: DayGains, gain: bigint, at: Date): DayGains {
  if (gain === 0n) return gains;
  return dayOf(at) === gains.day
    ? { ...gains, gained: gains.gained + gain }
    : { ...gains, gainedBefore: gains.gainedBefore + gain };
}

type CountedAward = Pick<Award, "kind" | "actor"> & { applied: bigint; gains?: DayGains; at: Date };

/** What the reversal of this award gives back to the day: only an award of the same day that was counted. */
export function givenBack(award: CountedAward, gains: DayGains, at: Date): bigint {
  const isCounted = !isByPerson(award) && award.applied > 0n && award.gains?.since === gains.since;
  return isCounted && dayOf(award.at) === dayOf(at) ? award.applied : 0n;
}
