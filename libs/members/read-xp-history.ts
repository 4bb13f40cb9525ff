// A member's XP over time, as points for a chart. All entries of the range are read, a bounded number at a time. A
// chart of many entries is cached, so that it costs MongoDB a bounded share of the time however often it is shown.
import { makePacedCache, type RunStep } from "#async/paced-cache.ts";
import { pause } from "#async/pause.ts";
import { memberIdOf, memberRefOf, type MemberId, type MemberRef } from "#domain/member-id.ts";
import { HISTORY_LENGTHS_MS, historyRanges, type HistoryRange } from "#domain/time-range.ts";
import {
  COUNT_EXPIRY_MS_MIN,
  HISTORIES_CACHED_MAX,
  HISTORY_ENTRIES_TOGETHER,
  HISTORY_EXPIRY_SHARE,
  HISTORY_POINTS,
  HISTORY_REST_SHARE,
  HISTORY_WAIT_MS,
} from "#members/bounds.ts";
import type { XpHistoryStore } from "#members/ports.ts";
import type { Clock } from "#kernel/clock.ts";

/** `xp`: the highest in the time from `at` until the next point; null before the first entry. */
export type XpPoint = { at: Date; xp: bigint | null };
/** `points` null: so many entries are still being read for the first time. */
export type XpHistory = { points: XpPoint[] | null; until: Date };

/** Throws AppError `unavailable`. */
export type ReadXpHistory = (member: MemberRef, range: HistoryRange) => Promise<XpHistory>;

/** A chart of a member who has just got their first award. */
const LENGTH_MS_MIN = 60_000;

/** The entries of a range, the one before it included, which has the XP with which the range begins. */
type Stretch = { fromSeq: number; toSeq: number; fromMs: number; untilMs: number; spanMs: number };

export function makeReadXpHistory({
  store,
  clock,
  entriesTogether = HISTORY_ENTRIES_TOGETHER,
}: {
  store: XpHistoryStore;
  clock: Clock;
  entriesTogether?: number;
}): ReadXpHistory {
  const readLong = makePacedCache<XpHistory>({
    async load(key, run) {
      const { member, range } = rangeIn(key);
      const stretch = await run(() => stretchOf(member, range));
      return stretch ? read(member, stretch, run) : nothingSince(clock.now());
    },
    agesOf(_, busyMs) {
      const refreshMs = busyMs * HISTORY_REST_SHARE;
      return { refreshMs, expireMs: Math.max(COUNT_EXPIRY_MS_MIN, refreshMs * HISTORY_EXPIRY_SHARE) };
    },
    sizeMax: HISTORIES_CACHED_MAX,
    clock,
  });

  async function stretchOf(member: MemberRef, range: HistoryRange): Promise<Stretch | null> {
    const [now, ends] = [clock.now(), await store.ends(member)];
    if (!ends) return null;
    const { first, last } = ends;
    const untilMs = Math.max(now.getTime(), last.at.getTime() + 1);
    const lengthMs = HISTORY_LENGTHS_MS[range];
    const fromMs = lengthMs === null ? Math.min(first.at.getTime(), untilMs - LENGTH_MS_MIN) : untilMs - lengthMs;
    const fromSeq = await store.seqBefore(member, { at: new Date(fromMs), first: first.seq, last: last.seq });
    return { fromSeq, toSeq: last.seq, fromMs, untilMs, spanMs: Math.ceil((untilMs - fromMs) / HISTORY_POINTS) };
  }

  async function read(member: MemberRef, stretch: Stretch, run: RunStep): Promise<XpHistory> {
    const { fromSeq, toSeq, fromMs, untilMs, spanMs } = stretch;
    const bySpan: XpBySpan = new Map();
    for (let seq = fromSeq; seq <= toSeq; seq += entriesTogether) {
      const entries = { fromSeq: seq, toSeq: Math.min(toSeq, seq + entriesTogether - 1) };
      const found = await run(() => store.highest(member, { ...entries, from: new Date(fromMs), spanMs }));
      for (const { span, highest, last } of found) {
        const before = bySpan.get(span)?.highest ?? highest;
        bySpan.set(span, { highest: highest > before ? highest : before, last });
      }
    }
    return { points: pointsOf(bySpan, stretch), until: new Date(untilMs) };
  }

  return async function readXpHistory(member, range) {
    const stretch = await stretchOf(member, range);
    if (!stretch) return nothingSince(clock.now());
    if (stretch.toSeq - stretch.fromSeq < entriesTogether) return read(member, stretch, (step) => step());
    const cached = await Promise.race([readLong(`${range}/${memberIdOf(member)}`), pause(HISTORY_WAIT_MS)]);
    return cached ?? { points: null, until: new Date(stretch.untilMs) };
  };
}

function rangeIn(key: string): { member: MemberRef; range: HistoryRange } {
  const range = historyRanges.find((one) => key.startsWith(`${one}/`)) ?? "all";
  return { member: memberRefOf(key.slice(range.length + 1) as MemberId), range };
}

function nothingSince(until: Date): XpHistory {
  return { points: [], until };
}

type XpBySpan = Map<number, { highest: bigint; last: bigint }>;

/** Without an entry, the XP stays what it was. */
function pointsOf(bySpan: XpBySpan, { fromMs, untilMs, spanMs }: Stretch): XpPoint[] {
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
