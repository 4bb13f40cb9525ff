// What the pages show of times and numbers, and what they take typed text for; without a browser.
import { describe, expect, test } from "vitest";
import { requestOf } from "../../../apps/dashboard/web/pages/ranks/rank-draft.ts";
import { numberText, plainNumber } from "../../../apps/dashboard/web/parts/numbers.ts";
import { relativeText } from "../../../apps/dashboard/web/parts/relative-text.ts";
import { isSameName } from "../../../apps/dashboard/web/parts/same-name.ts";

describe("a relative time", () => {
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
  ])("that was %i ms ago is shown as: %s", (ago, text) => {
    expect(relativeText(now - ago, now)).toBe(text);
    expect(relativeText(now - ago, now, true)).toBe(text);
  });

  test.each([1, 15 * SECOND, 59 * SECOND, 2 * HOUR])(
    "in the past is never shown as future by a clock that is %i ms behind",
    (slow) => {
      expect(relativeText(now, now - slow)).toBe("just now");
    },
  );

  test.each([
    [30 * SECOND, "in a moment"],
    [HOUR - 1, "in 59 minutes"],
    [34 * HOUR, "in 1 day"],
    [47 * HOUR, "in 1 day"],
    [90 * DAY, "in 3 months"],
  ])("that is %i ms ahead is shown as: %s", (ahead, text) => {
    expect(relativeText(now + ahead, now, true)).toBe(text);
  });
});

describe("a number in a text field", () => {
  test.each([
    ["1500", "1500"],
    ["1,500", "1500"],
    ["1 000 000", "1000000"],
    ["12\u202f345", "12345"],
    ["1_000", "1000"],
    [" -9,223,372,036,854,775,808 ", "-9223372036854775808"],
    ["\u22121,000", "-1000"],
  ])("is accepted with thousands separators: %j", (typed, taken) => {
    expect(plainNumber(typed)).toBe(taken);
  });

  test.each(["", "1,5", "10,50", "1,0000", "1000,000", "0,500", "1.500", "1,000 000", "1,,000", ",500", "1,500,"])(
    "is unchanged if it has no valid thousands separators: %j",
    (typed) => {
      expect(plainNumber(typed)).toBe(typed);
    },
  );

  test.each(["0", "-1500", "9223372036854775807"])("is accepted in the form that pages show: %s", (stored) => {
    expect(plainNumber(numberText(stored))).toBe(stored);
    expect(numberText(stored)).not.toContain("-");
  });

  test("is accepted as the threshold of a rank in the same forms", () => {
    const row = { key: 0, name: "Member", kind: "NORMAL", was: null } as const;
    const rows = ["1,500", "1,5"].map((threshold) => ({ ...row, threshold }));
    const { ranks } = requestOf({ stored: { autoClan: true, ranks: [] }, rows, autoClan: true });
    expect(ranks.map(({ threshold }) => threshold)).toEqual(["1500", "1,5"]);
  });
});

describe("a name that is typed as confirmation", () => {
  test.each([
    ["two spaces", "game  server", "game server"],
    ["a no-break space", "game\u00a0server", "game server"],
    ["spaces around it", "  game server ", "game server"],
    ["a decomposed letter", "cafe\u0301", "caf\u00e9"],
    ["a composed letter", "caf\u00e9", "cafe\u0301"],
    ["a soft hyphen and a joiner", "game\u00adser\u200dver", "gameserver"],
    ["a direction mark beside a space", "game \u200e server", "game server"],
    ["an emoji in its colored form", "\u2764\ufe0f", "\u2764"],
  ])("matches one with %s", (_, name, typed) => {
    expect(isSameName(typed, name)).toBe(true);
    expect(isSameName(name, name)).toBe(true);
  });

  test.each(["", "game", "Game server", "gameserver", "game-server"])(
    "does not match a different name: %j",
    (typed) => {
      expect(isSameName(typed, "game server")).toBe(false);
    },
  );
});
