// How long work that can wait rests after a step.
import { expect, test } from "vitest";
import { restAfter } from "#batches/rest-after.ts";

test.each([
  [0, 250],
  [250, 250],
  [500, 1_000],
  [1_000, 4_000],
  [2_500, 25_000],
  [10_000, 100_000],
])(
  "the busier MongoDB is, the more of the time is left to awards, up to ten elevenths: %i ms, then %i ms",
  (took, rest) => {
    expect(restAfter(took, 250)).toBe(rest);
  },
);
