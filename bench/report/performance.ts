// The result as docs/explanation/performance.md leads with it: what an evaluator asks, each number from the readings.
import type { MeasureName } from "../measures.ts";
import { median, ratioOf, valueOf } from "../ratio.ts";
import type { Result } from "../run-bench.ts";
import type { Value } from "../target.ts";
import { markdownTable } from "./markdown-table.ts";
import { digits } from "./table.ts";

type Row = [load: string, measure: MeasureName, beside: [reference: MeasureName, what: string][]];

const THROUGHPUT: readonly Row[] = [
  [
    "single awards to 10,000 members, 128 callers",
    "ours",
    [
      ["r1", "Express with a bare MongoDB `$inc`, without a ledger, keys or locks"],
      ["r3", "one MongoDB transaction per award, with a ledger and unique keys"],
      ["r9", "one PostgreSQL statement per award, with a ledger and unique keys"],
    ],
  ],
  [
    "single awards to one hot member, 128 callers",
    "ours-hot",
    [
      ["r2-hot", "a lock per member in Redis"],
      ["r9-hot", "one PostgreSQL statement per award"],
    ],
  ],
  [
    "requests with 50 awards, 20 callers",
    "ours-call",
    [
      ["r9", "one PostgreSQL statement per award, 128 callers"],
      ["r9-call", "one PostgreSQL statement per request with 50 awards"],
      ["r5", "a bare `bulkWrite`, without HTTP, a ledger or keys"],
    ],
  ],
  [
    "batches of 100 awards, to the result, 8 callers",
    "ours-batch",
    [["r5", "a bare `bulkWrite`, without HTTP, a ledger or keys"]],
  ],
];

const LATENCY: readonly [load: string, measure: MeasureName, ofRequest: string][] = [
  ["one caller, single awards", "ours-lone", "award"],
  ["the same of a bare `$inc` without a ledger", "r1-lone", "award"],
  ["one caller, requests with 50 awards", "ours-lone-call", "request"],
  ["single awards at 70 % of what a bare `$inc` can do", "ours-open", "award"],
  ["the same of a bare `$inc`", "r1-open", "award"],
  ["128 callers, saturated", "ours", "award"],
  ["200 single awards/s", "ours-quiet", "award"],
  ["200 single awards/s, while 100,000 awards are reversed", "ours-reversing", "award"],
];

const CONDITIONS: readonly [what: string, ours: MeasureName, reference: MeasureName][] = [
  ["5,000,000 ledger entries and 1,000,000 members, beside few", "ours-large", "ours"],
  ["2 ms to MongoDB and Redis each way, 512 callers, beside no delay", "ours-far", "ours-near"],
  ["API keys with rate limits, beside keys without", "ours", "ours-no-limits"],
  ["locks in Redis, beside none", "ours", "ours-no-lock"],
  ["Redis stopped, beside running", "ours-no-redis", "ours"],
  ["2 APIs that share 1,000 members, Redis stopped, beside running", "ours-pair-no-redis", "ours-pair"],
];

/** What was not measured is left out. */
export function performanceOf(result: Result): string {
  const { machine, rounds, seconds } = result;
  const day = new Date(machine.at).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  const of = (name: MeasureName, value: Value): number =>
    median((result.readings[name] ?? []).map((reading) => valueOf(reading, value)));
  const isMeasured = (...names: MeasureName[]): boolean => names.every((name) => result.readings[name]);
  const times = (ours: MeasureName, reference: MeasureName): string =>
    digits(ratioOf(result.readings[ours] ?? [], result.readings[reference] ?? [], "awardsPerS").median);

  const throughput = THROUGHPUT.filter(([, name]) => isMeasured(name)).map(([load, name, beside]) => [
    load,
    `${rounded(of(name, "awardsPerS"))} awards/s`,
    beside
      .filter(([reference]) => isMeasured(reference))
      .map(([reference, what]) => `${times(name, reference)} times ${what}`)
      .join("; "),
  ]);
  const latency = LATENCY.filter(([, name]) => isMeasured(name)).map(([load, name, ofRequest]) => [
    load,
    `${rounded(of(name, "awardsPerS"))} awards/s`,
    ...([50, 99] as const).map((percentile) => `${digits(of(name, { percentile }))} ms per ${ofRequest}`),
  ]);
  const conditions = CONDITIONS.filter(([, ours, reference]) => isMeasured(ours, reference)).map(
    ([what, ours, reference]) => [what, times(ours, reference)],
  );
  return [
    `Measured on ${day} on ${machine.cpus} cores (${machine.model}) that also ran MongoDB, Redis, PostgreSQL and the load`,
    `generator: medians of ${rounds} rounds of ${seconds} s. Comparisons are from the same rounds.`,
    "",
    markdownTable([["load", "throughput", "compared with"], ...throughput]),
    "",
    markdownTable([["latency", "throughput", "median", "99th percentile"], ...latency]),
    "",
    markdownTable([["throughput of single awards", "ratio"], ...conditions]),
  ].join("\n");
}

/** Two digits: what another run would say again. */
function rounded(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString("en");
}
