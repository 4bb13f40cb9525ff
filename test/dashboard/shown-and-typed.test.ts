// What the pages show of times and numbers, and what they take typed text for; without a browser.
import { describe, expect, test } from "vitest";
import { relativeText } from "../../apps/dashboard/web/parts/relative-text.ts";

describe("a time, relative to now,", () => {
  const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
  const now = Date.parse("2026-11-23T20:00:00.000Z");

  test.each([
    [0, "just now"],
    [59 * SECOND, "just now"],
    [MINUTE, "1 minute ago"],
    [3_590 * SECOND, "59 minutes ago"],
    [HOUR, "1 hour ago"],
    [23 * HOUR + 40 * MINUTE, "23 hours ago"],
    [30 * HOUR, "1 day ago"],
    [29 * DAY, "29 days ago"],
    [364 * DAY, "12 months ago"],
    [365 * DAY, "1 year ago"],
  ])("%i ms ago: %s", (ago, text) => {
    expect(relativeText(now - ago, now)).toBe(text);
    expect(relativeText(now - ago, now, true)).toBe(text);
  });

  test.each([1, 15 * SECOND, 59 * SECOND, 2 * HOUR])("that has passed is never ahead of a clock %i ms slow", (slow) => {
    expect(relativeText(now, now - slow)).toBe("just now");
  });

  test.each([
    [30 * SECOND, "in a moment"],
    [HOUR - 1, "in 59 minutes"],
    [34 * HOUR, "in 1 day"],
    [47 * HOUR, "in 1 day"],
    [90 * DAY, "in 3 months"],
  ])("%i ms ahead: %s", (ahead, text) => {
    expect(relativeText(now + ahead, now, true)).toBe(text);
  });
});
