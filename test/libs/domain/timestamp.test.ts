// Timestamps whose fractions are finer than the millisecond that is stored.
import { expect, test } from "vitest";
import { timestampOf, isBefore } from "#domain/timestamp.ts";

test.each([
  ["2026-11-22T12:00:00Z", "2026-11-22T12:00:00.000Z"],
  ["2026-11-22T12:00:00.5Z", "2026-11-22T12:00:00.500Z"],
  ["2026-11-22T12:00:00.123000000Z", "2026-11-22T12:00:00.123Z"],
  ["2026-11-22T12:00:00.1230001Z", "2026-11-22T12:00:00.124Z"],
  ["2026-11-22T14:00:00.999999999999+02:00", "2026-11-22T12:00:01.000Z"],
  ["1969-12-31T23:59:59.9999Z", "1970-01-01T00:00:00.000Z"],
])("the timestamp %s is rounded up to the whole millisecond %s", (text, stored) => {
  expect(timestampOf(text).toISOString()).toBe(stored);
});

test.each([
  ["2026-11-22T12:00:00Z", "2026-11-22T12:00:00.0001Z"],
  ["2026-11-22T12:00:00.0001Z", "2026-11-22T12:00:00.00011Z"],
  ["2026-11-22T12:00:00.00011Z", "2026-11-22T14:00:00.0002+02:00"],
  ["2026-11-22T12:00:00.0009Z", "2026-11-22T12:00:00.001Z"],
  ["2026-11-22T14:00:00.5+02:00", "2026-11-22T12:00:01Z"],
])("the timestamp %s is before %s, and not vice versa", (a, b) => {
  expect([isBefore(a, b), isBefore(b, a)]).toStrictEqual([true, false]);
});

test("equal timestamps in different notations are not before each other", () => {
  expect(isBefore("2026-11-22T12:00:00.00010Z", "2026-11-22T14:00:00.0001+02:00")).toBe(false);
});
