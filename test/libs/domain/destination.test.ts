// What is accepted as the name of a destination.
import { expect, test } from "vitest";
import { isDestinationName } from "#domain/destination.ts";

test.each([
  ["64 letters", "n".repeat(64), true],
  ["65 letters", "n".repeat(65), false],
  ["64 characters beyond the Basic Multilingual Plane", "🏆".repeat(64), true],
  ["65 of them", "🏆".repeat(65), false],
  ["none", "", false],
  ["spaces only", "  ", false],
  ["a line break", "a\nb", false],
  ["half a character", "\ud83c", false],
])("a name of %s", (_what, name, isAccepted) => {
  expect(isDestinationName(name)).toBe(isAccepted);
});
