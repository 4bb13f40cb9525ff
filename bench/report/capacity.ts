// The result as docs/how-to/scale.md estimates capacity with it: CPU, memory and bytes for one award.
import type { MeasureName } from "../measures.ts";
import { median } from "../ratio.ts";
import type { Result } from "../run-bench.ts";
import type { Part } from "../subjects/subject.ts";
import { markdownTable } from "./markdown-table.ts";
import { digits } from "./table.ts";

const LOADS: readonly [load: string, measure: MeasureName][] = [
  ["single awards, 128 callers", "ours"],
  ["single awards to one hot member", "ours-hot"],
  ["requests with 50 awards", "ours-call"],
  ["batches of 100 awards", "ours-batch"],
];
const PARTS: readonly [Part, string][] = [
  ["api", "API"],
  ["worker", "worker"],
  ["mongod", "mongod"],
  ["redis", "Redis"],
];

/** What was not measured is left out. */
export function capacityOf({ machine, lines, readings }: Result): string {
  const day = new Date(machine.at).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  const rows = LOADS.filter(([, name]) => readings[name]).map(([load, name]) => [
    load,
    ...PARTS.map(([part]) => digits(median((readings[name] ?? []).map((one) => one.cpuUsPerAward[part] ?? 0)))),
  ]);
  const sizes = lines
    .filter(({ id }) => id === "13" || id === "14")
    .map(({ title, ratio }) => [title, digits(ratio.median)]);
  return [
    `Measured on ${day} on ${machine.cpus} cores (${machine.model}) that ran the API, the worker, MongoDB, Redis and the`,
    "load generator. One core has 1,000,000 µs of CPU in each second.",
    "",
    markdownTable([["CPU per award, µs", ...PARTS.map(([, name]) => name)], ...rows]),
    "",
    markdownTable([["memory (RSS) and disk", "measured"], ...sizes]),
  ].join("\n");
}
