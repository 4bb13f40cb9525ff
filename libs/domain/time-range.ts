// The ranges of time that charts show, divided into spans: hours and days are those of the viewer's time zone.
import type { TimeZone, WallClock } from "#domain/time-zone.ts";

export const timeRanges = ["1h", "24h", "7d", "30d"] as const;
export type TimeRange = (typeof timeRanges)[number];

/** Those of a chart of one member. */
export const historyRanges = ["24h", "7d", "30d", "all"] as const;
export type HistoryRange = (typeof historyRanges)[number];
const DAY_MS = 86_400_000;
/** Null: since the member's first entry. */
export const HISTORY_LENGTHS_MS = { "24h": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS, all: null } as const;

/** From `fromMs`, included, to `toMs`, excluded. */
export type Span = { fromMs: number; toMs: number };
/**
 * Oldest first. The last one of each ends with the minute that contains now, and at the same time of the range before:
 * the two have the same length, so their sums can be compared (but for the hour of a clock change).
 */
export type RangeSpans = { spans: Span[]; before: Span[] };

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const HOURS_PER_DAY = 24;
/** `hours` null: spans of a minute. A day has fewer or more hours where the clocks change. */
const PARTS = {
  "1h": { count: 60, hours: null },
  "24h": { count: 24, hours: 1 },
  "7d": { count: 28, hours: 6 },
  "30d": { count: 30, hours: HOURS_PER_DAY },
} as const satisfies Record<TimeRange, { count: number; hours: number | null }>;

/** The spans of the range that ends now, and those of the range before it. */
export function spansOf(range: TimeRange, now: Date, zone: TimeZone): RangeSpans {
  const { count } = PARTS[range];
  const startMs = startsOf(range, now, zone);
  const endMs = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  const spans = spansBetween(startMs.slice(count), endMs);
  const [firstBefore = 0, lastBefore = 0, first = 0] = [startMs[0], startMs[count - 1], startMs[count]];
  // Where the clocks changed, the same length may end before the last span begins, or in the range that ends now.
  const endBeforeMs = Math.min(Math.max(firstBefore + endMs - first, lastBefore + MINUTE_MS), first);
  return { spans, before: spansBetween(startMs.slice(0, count), endBeforeMs) };
}

/** The starts of both ranges, oldest first. */
function startsOf(range: TimeRange, now: Date, zone: TimeZone): number[] {
  const { count, hours } = PARTS[range];
  const ago = Array.from({ length: 2 * count }, (_, index) => 2 * count - 1 - index);
  const minuteMs = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  if (hours === null) return ago.map((minutes) => minuteMs - minutes * MINUTE_MS);
  const wall = zone.wallClockAt(now);
  // Hours pass evenly also where the clocks change; longer spans begin at the same times of each day.
  if (hours === 1) return ago.map((spans) => minuteMs - wall.minute * MINUTE_MS - spans * HOUR_MS);
  const part = Math.floor(wall.hour / hours);
  return ago.map((spans) => zone.timestampOf(partOfDay(wall, hours, part - spans)).getTime());
}

/** A part of a day of so many hours, by its number from the beginning of this day. */
function partOfDay({ year, month, day }: WallClock, hours: number, part: number): WallClock {
  const perDay = HOURS_PER_DAY / hours;
  const days = Math.floor(part / perDay);
  const date = new Date(Date.UTC(year, month - 1, day + days));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: (part - days * perDay) * hours,
    minute: 0,
  };
}

function spansBetween(startMs: readonly number[], endMs: number): Span[] {
  return startMs.map((fromMs, index) => ({ fromMs, toMs: startMs[index + 1] ?? endMs }));
}
