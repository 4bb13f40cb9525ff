// Wall-clock times in the time zones of the IANA database, as Intl has them.
//
// Invariant: a wall-clock time that does not exist is the first one after the gap; of one that comes twice it is the
// first.

/** `month` and `day` from 1. A `day` beyond the end of the month counts on into the next one. */
export type WallClock = { year: number; month: number; day: number; hour: number; minute: number };

export type TimeZone = {
  /** As it was asked for. */
  name: string;
  /** The wall-clock time of a timestamp; seconds are left out. */
  wallClockAt(at: Date): WallClock;
  /** The timestamp of a wall-clock time. */
  timestampOf(wallClock: WallClock): Date;
};

const HOUR_MS = 3_600_000;
/** No zone is further from UTC, in either direction. */
const OFFSET_HOURS_MAX = 15;

/** Null: there is no such time zone. Make one per zone and keep it: it costs a tenth of a millisecond. */
export function timeZoneOf(name: string): TimeZone | null {
  const format = formatOf(name);
  if (!format) return null;

  /** The time that the zone's clocks show, as if they showed UTC. */
  function localMs(at: number): number {
    const part: Record<string, number> = {};
    for (const { type, value } of format?.formatToParts(at) ?? []) part[type] = Number(value);
    const { year = 0, month = 1, day, hour, minute, second } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }

  /** How far its clocks are ahead of UTC. */
  function offsetMs(at: number): number {
    const second = Math.floor(at / 1_000) * 1_000;
    return localMs(second) - second;
  }

  /** The first moment after `from` with another offset than at `from`; there is one until `to`. */
  function changeBetween(from: number, to: number): number {
    let [before, after] = [from, to];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offsetMs(middle) === offsetMs(from)) before = middle;
      else after = middle;
    }
    return after;
  }

  return {
    name,
    wallClockAt(at) {
      const local = new Date(localMs(at.getTime()));
      return {
        year: local.getUTCFullYear(),
        month: local.getUTCMonth() + 1,
        day: local.getUTCDate(),
        hour: local.getUTCHours(),
        minute: local.getUTCMinutes(),
      };
    },
    timestampOf({ year, month, day, hour, minute }) {
      const local = Date.UTC(year, month - 1, day, hour, minute);
      const [from, to] = [local - OFFSET_HOURS_MAX * HOUR_MS, local + OFFSET_HOURS_MAX * HOUR_MS];
      // The offset may change once in between. Of two fitting moments, the one by the earlier offset is the first.
      const fitting = [offsetMs(from), offsetMs(to)]
        .map((offset) => ({ at: local - offset, offset }))
        .filter(({ at, offset }) => offsetMs(at) === offset)
        .map(({ at }) => at);
      return new Date(fitting.length > 0 ? Math.min(...fitting) : changeBetween(from, to));
    },
  };
}

/** A name of the IANA database, not an offset such as +05:30, which never observes daylight saving time. */
function formatOf(name: string): Intl.DateTimeFormat | null {
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    const [date, time] = [
      { year: "numeric", month: "numeric", day: "numeric" },
      { hour: "numeric", minute: "numeric", second: "numeric" },
    ] as const;
    return new Intl.DateTimeFormat("en-US", { timeZone: name, hourCycle: "h23", ...date, ...time });
  } catch {
    return null;
  }
}

/** The names that Intl has, for suggestions. It knows others too, such as older names of the same zones. */
export function timeZoneNames(): string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone")];
}
