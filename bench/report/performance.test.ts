// What the pages for evaluators and operators say of a result.
import { expect, test } from "vitest";
import type { LoadResult } from "../load/plan.ts";
import type { Reading } from "../void-run.ts";
import type { Result } from "../run-bench.ts";
import { capacityOf } from "./capacity.ts";
import { performanceOf } from "./performance.ts";

const result: Result = {
  machine: {
    at: "2026-11-23T01:08:00.000Z",
    commit: "abc",
    cpus: 2,
    model: "AMD EPYC",
    memoryGib: 24,
    kernel: "Linux",
    loadBefore: 0,
    versions: { node: "24", mongod: "8", redis: "7", postgres: null },
  },
  rounds: 2,
  seconds: 5,
  lines: [
    {
      id: "14",
      title: "Redis bytes per queued award",
      is: "most",
      must: 10,
      aim: 4,
      ratio: { median: 9.271, lowest: 9.271, highest: 9.271 },
      verdict: "must",
    },
  ],
  skipped: [],
  readings: {
    ours: [reading(7_432, { api: 134.2, mongod: 80 }), reading(7_432, { api: 134.2, mongod: 80 })],
    // Side by side in each round: 2 and 4 times.
    r1: [reading(3_716, { api: 300 }), reading(1_858, { api: 300 })],
  },
};

test("the report shows throughput with two digits, ratios within the rounds, and only what was measured", () => {
  const page = performanceOf(result);
  expect(page).toContain("Measured on 23 November 2026 on 2 cores (AMD EPYC)");
  expect(page).toContain(
    "| single awards to 10,000 members, 128 callers | 7,400 awards/s | 3 times Express with a bare MongoDB `$inc`, without a ledger, keys or locks |",
  );
  expect(page).toContain("| 128 callers, saturated | 7,400 awards/s | 1 ms per award | 9 ms per award |");
  expect(page).not.toMatch(/NaN|undefined|PostgreSQL statement|hot member|stopped/);
});

test("the report shows the CPU time of each process and the storage of an award", () => {
  const page = capacityOf(result);
  expect(page).toContain("| CPU per award, µs | API | worker | mongod | Redis |");
  expect(page).toContain("| single awards, 128 callers | 134 | 0 | 80 | 0 |");
  expect(page).toContain("| Redis bytes per queued award | 9.27 |");
});

function reading(awardsPerS: number, cpuUsPerAward: Reading["cpuUsPerAward"]): Reading {
  const latencyMs: LoadResult["latencyMs"] = { 50: 1, 75: 0, 90: 0, 95: 0, 99: 9, 99.9: 0, 100: 0 };
  const load = { awards: 1, awardsInAll: 1, awardsPerS, latencyMs, series: [], failures: {}, cpuShare: 0 };
  return { load, cpuUsPerAward, rssBytes: {}, conflictsPercent: 0 };
}
