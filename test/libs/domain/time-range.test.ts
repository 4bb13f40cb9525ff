// The spans of a range follow each other, have the viewer's hours and days, and compare with as long a range before.
import fc from "fast-check";
import { expect, test } from "vitest";
import { spansOf, timeRanges } from "#domain/time-range.ts";
import { timeZoneOf, type TimeZone } from "#domain/time-zone.ts";
import { seedOfRun } from "../../support/seed.ts";

function zoneOf(name: string): TimeZone {
  const zone = timeZoneOf(name);
  if (!zone) throw new Error(name);
  return zone;
}
const iso = (ms: number | undefined): string => new Date(ms ?? 0).toISOString();
const zones = ["UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Asia/Kathmandu"].map(zoneOf);

test("spans have no gaps, contain now, begin at quarters of an hour, and both ranges are equally long", () => {
  const now = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2030, 0) });
  fc.assert(
    fc.property(fc.constantFrom(...timeRanges), now, fc.constantFrom(...zones), (range, ms, zone) => {
      const { spans, before } = spansOf(range, new Date(ms), zone);
      expect(before).toHaveLength(spans.length);
      for (const list of [before, spans])
        for (const [index, { fromMs, toMs }] of list.entries()) {
          expect(toMs).toBeGreaterThan(fromMs);
          if (index > 0) expect(list[index - 1]?.toMs).toBe(fromMs);
          if (range !== "1h") expect(fromMs % (15 * 60_000)).toBe(0);
        }
      const [first, last] = [spans[0], spans.at(-1)];
      expect(last?.fromMs).toBeLessThanOrEqual(ms);
      expect(last?.toMs).toBeGreaterThan(ms);
      const length = (list: typeof spans): number => (list.at(-1)?.toMs ?? 0) - (list[0]?.fromMs ?? 0);
      const end = before.at(-1);
      const isCut = end !== undefined && (end.toMs - end.fromMs === 60_000 || end.toMs === first?.fromMs);
      const differenceMs = Math.abs(length(before) - length(spans));
      expect(differenceMs === 0 || (isCut && differenceMs <= 3_600_000)).toBe(true);
      expect(before.at(-1)?.toMs).toBeLessThanOrEqual(first?.fromMs ?? 0);
    }),
    { seed: seedOfRun() },
  );
});

test("where the clocks changed, the range before still ends after its last span begins", () => {
  const { before } = spansOf("7d", new Date("2027-04-14T13:30:00.000Z"), zoneOf("Australia/Lord_Howe"));
  for (const { fromMs, toMs } of before) expect(toMs).toBeGreaterThan(fromMs);
});

test("30 days are the days of the time zone, also across a change of the clocks", () => {
  const { spans } = spansOf("30d", new Date("2026-03-10T15:20:30Z"), zoneOf("America/New_York"));
  expect(spans).toHaveLength(30);
  expect(iso(spans[0]?.fromMs)).toBe("2026-02-09T05:00:00.000Z");
  // The clocks are set forward on 8 March: that day has 23 hours.
  const day = spans.find(({ fromMs }) => iso(fromMs) === "2026-03-08T05:00:00.000Z");
  expect(iso(day?.toMs)).toBe("2026-03-09T04:00:00.000Z");
  expect(iso(spans.at(-1)?.toMs)).toBe("2026-03-10T15:21:00.000Z");
});

test("7 days are quarters of days, and 24 hours are those of the zone's clock", () => {
  const kolkata = zoneOf("Asia/Kolkata");
  const now = new Date("2026-03-10T15:20:30Z"); // 20:50 there
  expect(iso(spansOf("7d", now, kolkata).spans.at(-1)?.fromMs)).toBe("2026-03-10T12:30:00.000Z");
  expect(iso(spansOf("24h", now, kolkata).spans.at(-1)?.fromMs)).toBe("2026-03-10T14:30:00.000Z");
});
