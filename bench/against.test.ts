// What `npm run bench -- --against` says of what it measured, and which commits it knows.
import { expect, test } from "vitest";
import { resolveCommit } from "./against/checkout.ts";
import { below, lineOf } from "./against/run-against.ts";
import { againstTableOf } from "./report/against.ts";
import type { Reading } from "./void-run.ts";

const latencyMs = { 50: 1, 75: 1, 90: 1, 95: 1, 99: 1, 99.9: 1, 100: 1 };
const reading = (awardsPerS: number, api: number): Reading => ({
  load: { awards: 1, awardsInAll: 1, awardsPerS, latencyMs, series: [], failures: {}, cpuShare: null },
  cpuUsPerAward: { api, worker: 10, mongod: 40 },
  rssBytes: {},
  conflictsPercent: 0,
});
const there = [reading(1_000, 50), reading(2_000, 50), reading(1_000, 50)];
const here = [reading(800, 100), reading(1_800, 100), reading(500, 100)];

test("speed is a median of ratios within rounds, and less than 1 where this product is slower", () => {
  const batches = lineOf("batches", { there, here });
  expect(batches.speed).toStrictEqual({ median: 0.8, lowest: 0.5, highest: 0.9 });
  expect(batches.awardsPerS).toStrictEqual({ there: 1_000, here: 800 });
  expect(batches.cpuUs.api).toStrictEqual({ there: 50, here: 100, ratio: { median: 2, lowest: 2, highest: 2 } });
  // Its load decides how many awards there are.
  expect(lineOf("open", { there, here }).speed.median).toBeCloseTo(100 / 150, 9);
});

test("a bound that is met exactly is met, and what was not measured does not meet it", () => {
  const batches = lineOf("batches", { there, here });
  expect(below([batches], 0.8)).toStrictEqual([]);
  expect(below([batches], 0.81)).toStrictEqual([batches]);
  const speed = { median: Number.NaN, lowest: Number.NaN, highest: Number.NaN };
  expect(below([{ ...batches, speed }], 0.1)).toHaveLength(1);
});

test("the table has a line for each load, with CPU of API, worker and MongoDB", () => {
  const machine = { at: "2026-11-28", commit: "b", cpus: 2, model: "m", memoryGib: 1, kernel: "k", loadBefore: 0 };
  const table = againstTableOf({
    machine: { ...machine, versions: {} },
    commit: "a".repeat(40),
    rounds: 3,
    seconds: 5,
    lines: [lineOf("batches", { there, here })],
  });
  expect(table).toContain(`${"a".repeat(12)} → this product`);
  expect(table).toMatch(/^batches +× 0\.8 \(0\.5 to 0\.9\) +1000 → 800 +50 → 100 {2}× 2 \(2 to 2\)/m);
});

test("a commit is found by every name that git knows, and nothing else is one", async () => {
  const head = await resolveCommit("HEAD");
  expect(head).toMatch(/^[0-9a-f]{40}$/);
  expect(await resolveCommit((head ?? "").slice(0, 12))).toBe(head);
  expect(await resolveCommit("--all")).toBeNull();
});
