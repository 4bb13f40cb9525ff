import { describe, expect, test } from "vitest";
import type { LoadResult } from "./load/plan.ts";
import { median, ratioOf, verdictOf } from "./ratio.ts";
import type { Reading } from "./void-run.ts";
import type { Line } from "./run-bench.ts";
import { sizeTargets } from "./size-targets.ts";
import { targets } from "./targets.ts";
import { guardedRatios, regressions } from "./trend.ts";

test("the median is the middle value, or the mean of the two middle values", () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test("a ratio is computed round by round, so that a slow minute of the machine cancels out", () => {
  // In the second round everything was ten times slower: the medians of the two alone would say 300 / 90.
  const ours = [300, 30, 330].map(reading);
  const reference = [100, 10, 90].map(reading);
  const { median: middle, lowest, highest } = ratioOf(ours, reference, "awardsPerS");
  expect([middle, lowest]).toStrictEqual([3, 3]);
  expect(highest).toBeCloseTo(330 / 90);
});

test("a ratio of latencies uses the requested percentile", () => {
  const { median: middle } = ratioOf([reading(100)], [reading(50)], { percentile: 99 });
  expect(middle).toBe(0.5);
});

test("a ratio of CPU time uses the requested process", () => {
  expect(ratioOf([reading(100)], [reading(50)], { cpuOf: "mongod" }).median).toBe(0.5);
});

test("measurements of different rounds have no ratio", () => {
  const [one, two] = [[reading(1)], [reading(1), reading(2)]];
  expect(() => ratioOf(two, one, "awardsPerS")).toThrow("same rounds");
});

describe("a verdict", () => {
  const throughput = { is: "least", must: 3, aim: 5 } as const;
  const latency = { is: "most", must: 2.5, aim: 1.5 } as const;
  test.each([
    [5, throughput, "aim"],
    [3, throughput, "must"],
    [2.99, throughput, "missed"],
    [1.5, latency, "aim"],
    [2.5, latency, "must"],
    [2.51, latency, "missed"],
    [3, { is: "least", must: 3, aim: null } as const, "must"],
    [2.99, { is: "least", must: 3, aim: null } as const, "missed"],
    [100, { is: "least", must: null, aim: null } as const, "reported"],
  ])("of %d against %o is %s", (measured, bounds, verdict) => {
    expect(verdictOf(measured, bounds)).toBe(verdict);
  });
});

test.each([...targets, ...sizeTargets].filter(({ aim }) => aim !== null))(
  "$id, $title: a value that reaches the aim also reaches the required bound",
  ({ is, must, aim }) => {
    expect(verdictOf(aim ?? Number.NaN, { is, must, aim: null })).toBe("must");
  },
);

describe("the regression guard", () => {
  const recorded = { commit: "abc", date: "2026-01-01", ratios: { "1": 3, "4": 20 } };

  test("accepts 0.6 of the recorded ratio, and nothing less", () => {
    expect(regressions(recorded, { "1": 1.8, "4": 12 })).toStrictEqual([]);
    expect(regressions(recorded, { "1": 1.79, "4": 12 })).toStrictEqual([expect.stringContaining("target 1")]);
  });

  test("reports a target that was not measured as a regression", () => {
    expect(regressions(recorded, { "1": 3 })).toStrictEqual([expect.stringContaining("target 4")]);
  });

  test("compares only targets with a required bound", () => {
    const line = (id: string, must: number | null, value: number): Line => ({
      id,
      title: "",
      is: "least",
      must,
      aim: must,
      ratio: { median: value, lowest: value, highest: value },
      verdict: "reported",
    });
    expect(guardedRatios([line("1", 2.8, 3.014), line("1", null, 9), line("3", 5, 6)])).toStrictEqual({ "1": 3.01 });
  });
});

/** A round with so many awards per second, and as much less latency. */
function reading(awardsPerS: number): Reading {
  const ms = 1_000 / awardsPerS;
  const latencyMs: LoadResult["latencyMs"] = { 50: 0, 75: 0, 90: 0, 95: 0, 99: ms, 99.9: 0, 100: 0 };
  const load = { awards: 1, awardsInAll: 1, awardsPerS, latencyMs, series: [], failures: {}, cpuShare: 0 };
  return { load, cpuUsPerAward: { mongod: ms }, rssBytes: {}, conflictsPercent: 0 };
}
