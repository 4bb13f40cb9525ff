// Wall-clock times against a table of Python's zoneinfo, which reads the IANA database itself and not through ICU.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { timeZoneNames, timeZoneOf, type TimeZone, type WallClock } from "#domain/time-zone.ts";
import { nextWeekends } from "#domain/weekends.ts";

/** Zone, wall clock, UTC. */
const TABLE = [
  // Gaps: the first time after them.
  ["Europe/Berlin", "2026-03-29 02:00", "2026-03-29T01:00Z"],
  ["Europe/Berlin", "2026-03-29 02:59", "2026-03-29T01:00Z"],
  ["America/New_York", "2026-03-08 02:15", "2026-03-08T07:00Z"],
  ["Australia/Lord_Howe", "2026-10-04 02:15", "2026-10-03T15:30Z"],
  ["America/Santiago", "2026-09-06 00:00", "2026-09-06T04:00Z"],
  ["Africa/Cairo", "2026-04-24 00:30", "2026-04-23T22:00Z"],
  ["Asia/Beirut", "2026-03-29 00:00", "2026-03-28T22:00Z"],
  ["Pacific/Apia", "2011-12-30 12:00", "2011-12-30T10:00Z"],
  // Overlaps: the first of the two.
  ["Europe/Berlin", "2026-10-25 02:00", "2026-10-25T00:00Z"],
  ["Europe/Berlin", "2026-10-25 02:59", "2026-10-25T00:59Z"],
  ["America/New_York", "2026-11-01 01:30", "2026-11-01T05:30Z"],
  ["Australia/Lord_Howe", "2026-04-05 01:45", "2026-04-04T14:45Z"],
  ["America/Santiago", "2026-04-04 23:30", "2026-04-05T02:30Z"],
  ["Africa/Cairo", "2026-10-29 23:30", "2026-10-29T20:30Z"],
  // Their edges.
  ["Europe/Berlin", "2026-03-29 01:59", "2026-03-29T00:59Z"],
  ["Europe/Berlin", "2026-03-29 03:00", "2026-03-29T01:00Z"],
  ["Europe/Berlin", "2026-10-25 01:59", "2026-10-24T23:59Z"],
  ["Europe/Berlin", "2026-10-25 03:00", "2026-10-25T02:00Z"],
  ["Australia/Lord_Howe", "2026-10-04 02:30", "2026-10-03T15:30Z"],
  ["Australia/Lord_Howe", "2026-04-05 02:00", "2026-04-04T15:30Z"],
  ["Pacific/Apia", "2011-12-29 23:59", "2011-12-30T09:59Z"],
  ["Pacific/Apia", "2011-12-31 00:00", "2011-12-30T10:00Z"],
  // Offsets of quarters of an hour, and those furthest from UTC.
  ["Asia/Kolkata", "2026-05-01 00:00", "2026-04-30T18:30Z"],
  ["Asia/Kathmandu", "2026-05-01 00:00", "2026-04-30T18:15Z"],
  ["Australia/Eucla", "2026-05-01 00:00", "2026-04-30T15:15Z"],
  ["Pacific/Chatham", "2026-01-01 00:00", "2025-12-31T10:15Z"],
  ["Pacific/Chatham", "2026-07-01 00:00", "2026-06-30T11:15Z"],
  ["America/St_Johns", "2026-01-01 00:00", "2026-01-01T03:30Z"],
  ["America/St_Johns", "2026-07-01 00:00", "2026-07-01T02:30Z"],
  ["Pacific/Kiritimati", "2026-01-01 00:00", "2025-12-31T10:00Z"],
  ["Pacific/Pago_Pago", "2026-01-01 00:00", "2026-01-01T11:00Z"],
  ["UTC", "2028-02-29 23:59", "2028-02-29T23:59Z"],
] as const;

function zone(name: string): TimeZone {
  const found = timeZoneOf(name);
  if (!found) throw new Error(`no time zone ${name}`);
  return found;
}

function wallClock(text: string): WallClock {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number);
  return { year, month, day, hour, minute };
}

describe("a time zone", () => {
  test.each(TABLE)("%s: %s is %s", (name, local, utc) => {
    expect(zone(name).timestampOf(wallClock(local)).toISOString()).toBe(utc.replace("Z", ":00.000Z"));
  });

  test("returns the wall clock of every timestamp, from which the same timestamp or its first twin follows", () => {
    const zones = [...new Set(TABLE.map(([name]) => name))].map(zone);
    const minute = fc.date({ min: new Date("2011-01-01"), max: new Date("2035-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(fc.constantFrom(...zones), minute, ({ wallClockAt, timestampOf }, date) => {
        const at = new Date(Math.floor(date.getTime() / 60_000) * 60_000);
        const again = timestampOf(wallClockAt(at));
        expect(wallClockAt(again)).toStrictEqual(wallClockAt(at));
        expect([0, 30, 60].map((minutes) => at.getTime() - minutes * 60_000)).toContain(again.getTime());
      }),
      { numRuns: 500 },
    );
  });

  test("counts days beyond the end of a month on into the next one", () => {
    const { timestampOf } = zone("Europe/Berlin");
    const at = timestampOf({ year: 2026, month: 12, day: 32, hour: 0, minute: 0 });
    expect(at.toISOString()).toBe("2026-12-31T23:00:00.000Z");
  });

  test("is one of the IANA database, also by an older name, and nothing else", () => {
    for (const name of ["UTC", "Europe/Kyiv", "Europe/Kiev", "Asia/Calcutta", "US/Eastern"])
      expect(timeZoneOf(name)?.name).toBe(name);
    for (const name of ["", "Europe/Berlinn", "Mars/Olympus", "+05:30", "-08:00", "Berlin", "a".repeat(300)])
      expect(timeZoneOf(name)).toBeNull();
    expect(timeZoneNames()).toContain("Europe/Berlin");
  });
});

describe("the next weekends", () => {
  const weekends = (name: string, now: string, count: number): string[] =>
    nextWeekends(zone(name), new Date(now), count).map(({ from, to }) => `${from.toISOString()}/${to.toISOString()}`);

  test("are Saturday 00:00 to Monday 00:00 there, also where the clocks change in between", () => {
    expect(weekends("Europe/Berlin", "2026-10-20T12:00:00Z", 2)).toStrictEqual([
      "2026-10-23T22:00:00.000Z/2026-10-25T23:00:00.000Z",
      "2026-10-30T23:00:00.000Z/2026-11-01T23:00:00.000Z",
    ]);
  });

  test("begin after now: neither a running weekend nor one that begins at this moment counts", () => {
    const next = ["2026-11-27T23:00:00.000Z/2026-11-29T23:00:00.000Z"];
    // From Saturday 00:00 to Sunday 23:59 in Berlin, then Monday 00:00 and Friday 23:59.
    for (const now of ["2026-11-20T23:00:00Z", "2026-11-22T22:59:00Z", "2026-11-22T23:00:00Z", "2026-11-27T22:59:59Z"])
      expect(weekends("Europe/Berlin", now, 1)).toStrictEqual(next);
    expect(weekends("Europe/Berlin", "2026-11-20T22:59:59Z", 1)).toStrictEqual([
      "2026-11-20T23:00:00.000Z/2026-11-22T23:00:00.000Z",
    ]);
  });

  test("begin after the gap where Saturday or Monday has no midnight", () => {
    // Cairo's clocks went from Thursday 24:00 to Friday 01:00 in 2026; Apia has no Friday, December 30, 2011.
    expect(weekends("Pacific/Apia", "2011-12-30T09:00:00Z", 1)).toStrictEqual([
      "2011-12-30T10:00:00.000Z/2012-01-01T10:00:00.000Z",
    ]);
  });
});
