// What a member gained in each day, week or month of a range that ends now, for a chart. Its first and last part are
// whole, so that bars can be compared.
import { gainPartOf, type GainPart } from "#domain/gains.ts";
import type { MemberRef } from "#domain/member-id.ts";
import { HISTORY_LENGTHS_MS, type HistoryRange } from "#domain/time-range.ts";
import { gainPartsOf, wholePartsAround, type PartGains, type ReadMemberGains } from "#gains/read-member-gains.ts";
import type { XpHistoryStore } from "#members/ports.ts";
import type { Clock } from "#kernel/clock.ts";

/** Throws AppError `unavailable`. */
export type ReadGainChart = (
  member: MemberRef,
  range: HistoryRange,
  timeZone: string,
) => Promise<{ every: GainPart; gains: PartGains[] }>;

const DAY_MS = 86_400_000;
/** An entry that claims to be older was written by a wrong clock. 400 parts are more months. */
const ALL_DAYS_MAX = 30 * 365;

export function makeReadGainChart({
  store,
  readMemberGains,
  clock,
}: {
  store: Pick<XpHistoryStore, "ends">;
  readMemberGains: ReadMemberGains;
  clock: Pick<Clock, "now">;
}): ReadGainChart {
  return async (member, range, timeZone) => {
    const [now, ends] = [clock.now(), await store.ends(member)];
    const lengthMs = HISTORY_LENGTHS_MS[range];
    // The clock of the process that made the last entry may be ahead.
    const untilMs = Math.max(now.getTime(), ends?.last.at.getTime() ?? 0);
    const sinceMs = Math.max(ends?.first.at.getTime() ?? untilMs, untilMs - ALL_DAYS_MAX * DAY_MS);
    const fromMs = lengthMs === null ? Math.min(sinceMs, untilMs) : untilMs - lengthMs;
    const every = gainPartOf((untilMs - fromMs) / DAY_MS);
    const { from, to } = wholePartsAround({ every, timeZone }, new Date(fromMs), new Date(untilMs));
    return { every, gains: await readMemberGains(member, gainPartsOf({ every, timeZone }, from, to) ?? []) };
  };
}
