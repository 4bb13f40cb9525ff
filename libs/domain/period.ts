// The periods of a board. Their times are fixed when they begin: the chain of stored periods is the truth, and a
// board's schedule says only where the next one ends.
import { SETTLE_MS_MIN, weekdays, type Rhythm } from "#domain/board.ts";
import { timeZoneOf, type TimeZone, type WallClock } from "#domain/time-zone.ts";

export const periodStatuses = ["upcoming", "open", "settling", "final"] as const;
export type PeriodStatus = (typeof periodStatuses)[number];

/** A part of the time: from `startsAt` until before `endsAt`. */
export type Part = { startsAt: Date; endsAt: Date };
/** Awards count from `startsAt` until before `endsAt`, their reversals until before `finalAt`. */
export type Span = Part & { finalAt: Date };
/** `isFinal`: its standings were stored for good, which happens shortly after `finalAt`. */
export type Period = Span & { periodId: string; isFinal: boolean };

/**
 * 20261123T000000Z, and 20261123T000000Z500 half a second later. Periods of a board do not overlap, so the beginning
 * names one, and ids are in their order.
 */
export function periodIdOf(startsAt: Date): string {
  const [seconds = "", milliseconds = ""] = startsAt.toISOString().split(/[.Z]/);
  return `${seconds.replaceAll(/[-:]/g, "")}Z${milliseconds === "000" ? "" : milliseconds}`;
}

export function statusOf({ startsAt, endsAt, isFinal }: Period, now: Date): PeriodStatus {
  if (isFinal) return "final";
  if (now < startsAt) return "upcoming";
  return now < endsAt ? "open" : "settling";
}

export function finalAtOf(endsAt: Date, settleMs: number): Date {
  return new Date(endsAt.getTime() + settlingMsOf(settleMs));
}

/** How long a period settles. */
export function settlingMsOf(settleMs: number): number {
  return Math.max(settleMs, SETTLE_MS_MIN);
}

/** The last boundary at or before this time, and the first one after it. */
export function boundariesAround(rhythm: Rhythm, time: Date): { last: Date; next: Date } {
  const boundary = boundariesOf(rhythm, time);
  // The date of the time may lie on either side of its boundary, and a date that a zone skips has none.
  let distance = 0;
  while (boundary(distance) > time) distance -= 1;
  while (boundary(distance + 1) <= time) distance += 1;
  return { last: boundary(distance), next: boundary(distance + 1) };
}

/** The one of these parts, which are in order, that contains the time. */
export function partAt<Listed extends Part>(parts: readonly Listed[], time: Date): Listed | null {
  let [from, to] = [0, parts.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((parts[middle]?.startsAt ?? time) <= time) from = middle + 1;
    else to = middle;
  }
  const found = parts[from - 1];
  return found && time < found.endsAt ? found : null;
}

/** The parts into which boundaries divide a span, oldest first. Null: there are more than `max`. */
export function partsBetween(rhythm: Rhythm, from: Date, to: Date, max: number): Part[] | null {
  const boundary = boundariesOf(rhythm, from);
  const starts = [from];
  let distance = 0;
  while (boundary(distance) > from) distance -= 1;
  for (let next = from; next < to; next = boundary((distance += 1))) {
    // Two dates have the same boundary if the zone skips one.
    if (next <= (starts.at(-1) ?? from)) continue;
    if (starts.length === max) return null;
    starts.push(next);
  }
  return starts.map((startsAt, index) => ({ startsAt, endsAt: starts[index + 1] ?? to }));
}

/** The boundaries in their order, by their distance from one near this time. */
function boundariesOf(rhythm: Rhythm, time: Date): (distance: number) => Date {
  const zone = zoneOf(rhythm.timeZone);
  const [hour = 0, minute = 0] = rhythm.at.split(":").map(Number);
  const { year, month, day } = zone.wallClockAt(time);
  const on = (date: Pick<WallClock, "year" | "month" | "day">): Date => zone.timestampOf({ ...date, hour, minute });
  switch (rhythm.every) {
    case "day":
      return (distance) => on({ year, month, day: day + distance });
    case "week": {
      const today = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
      const first = day - today + weekdays.indexOf(rhythm.on);
      return (distance) => on({ year, month, day: first + 7 * distance });
    }
    case "month":
      return (distance) => on({ year, month: month + distance, day: rhythm.on });
  }
}

let lastZone: TimeZone | null = null;

/** Of a board's schedule. Periods are asked for one after the other, mostly in one zone. */
export function zoneOf(name: string): TimeZone {
  const zone = lastZone?.name === name ? lastZone : timeZoneOf(name);
  if (!zone) throw new RangeError(`there is no time zone ${name}`);
  lastZone = zone;
  return zone;
}

/** Periods from the one that contains `from` until the one that contains `to`. */
export function periodsOf(rhythm: Rhythm, settleMs: number, from: Date, to: Date): Span[] {
  return periodsSince(rhythm, settleMs, boundariesAround(rhythm, from).last, to);
}

/** The same from the end of the last stored period on. */
export function periodsSince(rhythm: Rhythm, settleMs: number, startsAt: Date, to: Date): Span[] {
  const spans: Span[] = [];
  for (let start = startsAt; start <= to;) {
    const endsAt = boundariesAround(rhythm, start).next;
    spans.push({ startsAt: start, endsAt, finalAt: finalAtOf(endsAt, settleMs) });
    start = endsAt;
  }
  return spans;
}
