// The coming weekends in a time zone.
import type { TimeZone } from "#domain/time-zone.ts";

const SATURDAY = 6;

/** The next `count` times from Saturday 00:00 to Monday 00:00 in this zone. A running weekend is not one of them. */
export function nextWeekends(zone: TimeZone, now: Date, count: number): { from: Date; to: Date }[] {
  const { year, month, day } = zone.wallClockAt(now);
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  const midnight = (days: number): Date => zone.timestampOf({ year, month, day: day + days, hour: 0, minute: 0 });
  // On a Saturday the weekend is running.
  const first = ((SATURDAY - weekday + 6) % 7) + 1;
  return Array.from({ length: count }, (_, index) => ({
    from: midnight(first + 7 * index),
    to: midnight(first + 7 * index + 2),
  }));
}
