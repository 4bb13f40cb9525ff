// A member's XP over time, as points for a chart. It reads a bounded number of entries, however many the member has:
// beyond it, some that are evenly distributed.
import type { MemberRef } from "#domain/member-id.ts";
import type { HistoryRange } from "#domain/time-range.ts";
import { HISTORY_ENTRIES_MAX, HISTORY_POINTS, HISTORY_SAMPLE } from "#usecases/members/bounds.ts";
import type { XpHistoryStore } from "#usecases/members/ports.ts";
import type { Clock } from "#runtime/ports.ts";

/** `xp`: the highest in the time from `at` until the next point; null before the first entry. */
export type XpPoint = { at: Date; xp: bigint | null };
/** `isSampled`: only some of the entries were read. */
export type XpHistory = { points: XpPoint[]; until: Date; isSampled: boolean };

/** Throws AppError `unavailable`. */
export type ReadXpHistory = (member: MemberRef, range: HistoryRange) => Promise<XpHistory>;

const DAY_MS = 86_400_000;
const LENGTHS_MS = { "24h": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS, all: null } as const;
/** A chart of a member who has just got their first award. */
const LENGTH_MS_MIN = 60_000;

export function makeReadXpHistory({ store, clock }: { store: XpHistoryStore; clock: Clock }): ReadXpHistory {
  return async function readXpHistory(member, range) {
    const [now, ends] = [clock.now(), await store.ends(member)];
    if (!ends) return { points: [], until: now, isSampled: false };
    const { first, last } = ends;
    const untilMs = Math.max(now.getTime(), last.at.getTime() + 1);
    const lengthMs = LENGTHS_MS[range];
    const fromMs = lengthMs === null ? Math.min(first.at.getTime(), untilMs - LENGTH_MS_MIN) : untilMs - lengthMs;
    // The entry before the range has the XP with which it begins.
    const fromSeq = await store.seqBefore(member, { at: new Date(fromMs), first: first.seq, last: last.seq });
    const entries = last.seq - fromSeq + 1;
    const isSampled = entries > HISTORY_ENTRIES_MAX;
    const spanMs = Math.ceil((untilMs - fromMs) / HISTORY_POINTS);
    const found = await store.highest(member, {
      fromSeq,
      toSeq: last.seq,
      step: isSampled ? Math.ceil(entries / HISTORY_SAMPLE) : 1,
      from: new Date(fromMs),
      spanMs,
    });
    return { points: pointsOf(found, { fromMs, untilMs, spanMs }), until: new Date(untilMs), isSampled };
  };
}

type Found = Awaited<ReturnType<XpHistoryStore["highest"]>>;

/** Without an entry, the XP stays what it was. */
function pointsOf(found: Found, { fromMs, untilMs, spanMs }: Record<"fromMs" | "untilMs" | "spanMs", number>) {
  const bySpan = new Map(found.map(({ span, ...xps }) => [span, xps]));
  let xp = bySpan.get(-1)?.last ?? null;
  const points: XpPoint[] = [];
  for (let span = 0; fromMs + span * spanMs < untilMs; span += 1) {
    const entries = bySpan.get(span);
    const highest = entries && (xp === null || entries.highest > xp) ? entries.highest : xp;
    points.push({ at: new Date(fromMs + span * spanMs), xp: highest });
    xp = entries?.last ?? xp;
  }
  return points;
}
