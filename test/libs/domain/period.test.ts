// The expected times are facts about the zones, written out one by one, and derived by no code.
import { describe, expect, test } from "vitest";
import type { Rhythm } from "#domain/board.ts";
import { boundariesAround, partAt, periodIdOf, periodsOf, statusOf } from "#domain/period.ts";

const day = (at: string, timeZone: string): Rhythm => ({ every: "day", on: null, at, timeZone });

/** The boundaries after this time. */
function after(rhythm: Rhythm, from: string, count: number): string[] {
  const found: string[] = [];
  for (let time = new Date(from); found.length < count; time = boundariesAround(rhythm, time).next)
    found.push(boundariesAround(rhythm, time).next.toISOString().replace(":00.000Z", "Z"));
  return found;
}

describe("boundaries", () => {
  test.each<[string, Rhythm, string, string[]]>([
    ["UTC days", day("00:00", "UTC"), "2026-02-27T12:00:00Z", ["2026-02-28T00:00Z", "2026-03-01T00:00Z"]],
    // Berlin is at +1, and at +2 from 2026-03-29T01:00Z until 2026-10-25T01:00Z.
    [
      "a time that does not exist is the first after the gap",
      day("02:30", "Europe/Berlin"),
      "2026-03-27T12:00:00Z",
      ["2026-03-28T01:30Z", "2026-03-29T01:00Z", "2026-03-30T00:30Z"],
    ],
    [
      "a time that comes twice is the first",
      day("02:30", "Europe/Berlin"),
      "2026-10-23T12:00:00Z",
      ["2026-10-24T00:30Z", "2026-10-25T00:30Z", "2026-10-26T01:30Z"],
    ],
    // Samoa had no 30 December 2011: it moved from -10 to +14.
    [
      "a date that a zone skipped has no period",
      day("00:00", "Pacific/Apia"),
      "2011-12-28T12:00:00Z",
      ["2011-12-29T10:00Z", "2011-12-30T10:00Z", "2011-12-31T10:00Z"],
    ],
    [
      "weeks from Monday to Monday",
      { every: "week", on: "monday", at: "00:00", timeZone: "Europe/Berlin" },
      "2026-10-20T12:00:00Z",
      ["2026-10-25T23:00Z", "2026-11-01T23:00Z"],
    ],
    [
      "weeks from Friday evening",
      { every: "week", on: "friday", at: "20:00", timeZone: "UTC" },
      "2026-11-27T20:00:00Z",
      ["2026-12-04T20:00Z"],
    ],
    [
      "months, also over the end of the year",
      { every: "month", on: 28, at: "06:00", timeZone: "Asia/Tokyo" },
      "2026-12-27T12:00:00Z",
      ["2026-12-27T21:00Z", "2027-01-27T21:00Z", "2027-02-27T21:00Z"],
    ],
    [
      "months from the first",
      { every: "month", on: 1, at: "00:00", timeZone: "America/New_York" },
      "2026-03-01T04:59:59Z",
      ["2026-03-01T05:00Z", "2026-04-01T04:00Z"],
    ],
  ])("%s", (_name, rhythm, from, expected) => {
    expect(after(rhythm, from, expected.length)).toStrictEqual(expected);
  });

  test("the last boundary is at or before the time, and the next one after it, in every zone and hour", () => {
    for (const timeZone of ["Africa/Casablanca", "America/St_Johns", "Asia/Tehran", "Pacific/Kiritimati", "UTC"]) {
      const rhythms: Rhythm[] = [
        day("23:59", timeZone),
        { every: "week", on: "sunday", at: "12:00", timeZone },
        { every: "month", on: 28, at: "00:00", timeZone },
      ];
      for (const rhythm of rhythms)
        for (let hour = 0; hour < 24 * 400; hour += 1_009) {
          const time = new Date(Date.UTC(2026, 0, 1, hour));
          const { last, next } = boundariesAround(rhythm, time);
          expect(last <= time && time < next).toBe(true);
          expect(boundariesAround(rhythm, last).last).toStrictEqual(last);
          expect(boundariesAround(rhythm, new Date(next.getTime() - 1)).last).toStrictEqual(last);
        }
    }
  });
});

describe("periods", () => {
  test("follow each other from the one that contains the first time", () => {
    const [from, to] = [new Date("2026-11-25T12:00:00Z"), new Date("2026-11-27T00:00:00Z")];
    const spans = periodsOf(day("00:00", "UTC"), 3_600_000, from, to);
    expect(spans.map(({ startsAt, endsAt, finalAt }) => [startsAt, endsAt, finalAt].map(periodIdOf))).toStrictEqual([
      ["20261125T000000Z", "20261126T000000Z", "20261126T010000Z"],
      ["20261126T000000Z", "20261127T000000Z", "20261127T010000Z"],
      ["20261127T000000Z", "20261128T000000Z", "20261128T010000Z"],
    ]);
  });

  test("contain their beginning, and not their end", () => {
    const [from, to] = [new Date("2026-11-25T12:00:00Z"), new Date("2026-11-26T12:00:00Z")];
    const spans = periodsOf(day("00:00", "UTC"), 0, from, to);
    const placeAt = (time: string) => partAt(spans, new Date(time))?.startsAt.toISOString() ?? null;
    expect(placeAt("2026-11-24T23:59:59.999Z")).toBeNull();
    expect(placeAt("2026-11-25T00:00:00.000Z")).toBe("2026-11-25T00:00:00.000Z");
    expect(placeAt("2026-11-25T23:59:59.999Z")).toBe("2026-11-25T00:00:00.000Z");
    expect(placeAt("2026-11-26T00:00:00.000Z")).toBe("2026-11-26T00:00:00.000Z");
    expect(placeAt("2026-11-27T00:00:00.000Z")).toBeNull();
  });

  test("have ids in their order, with milliseconds only where there are some", () => {
    const ids = ["18:00:00Z", "18:00:00.007Z", "18:00:00.5Z", "18:00:01Z"].map((time) =>
      periodIdOf(new Date(`2026-11-26T${time}`)),
    );
    expect(ids).toStrictEqual(["20261126T180000Z", "20261126T180000Z007", "20261126T180000Z500", "20261126T180001Z"]);
    expect(ids.toSorted()).toStrictEqual(ids);
  });

  test("settle for a minute at least", () => {
    const at = new Date("2026-11-25T12:00:00Z");
    expect(periodsOf(day("00:00", "UTC"), 0, at, at)[0]?.finalAt).toStrictEqual(new Date("2026-11-26T00:01:00Z"));
  });

  test("are upcoming, open, settling and final", () => {
    const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 25, hour));
    const period = { periodId: "", startsAt: at(1), endsAt: at(2), finalAt: at(3), isFinal: false };
    expect([0, 1, 2, 3].map((hour) => statusOf(period, at(hour)))).toStrictEqual([
      "upcoming",
      "open",
      "settling",
      "settling",
    ]);
    expect(statusOf({ ...period, isFinal: true }, at(3))).toBe("final");
  });
});
