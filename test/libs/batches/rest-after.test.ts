// How long work that can wait rests after a step.
import { expect, test } from "vitest";
import { restAfter } from "#batches/rest-after.ts";

test("beside single awards, work has a seventh of the time, and otherwise three quarters", () => {
  expect(restAfter(300, true)).toBe(1_800);
  expect(restAfter(300, false)).toBe(100);
});
