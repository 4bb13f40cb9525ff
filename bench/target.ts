// A target: what is measured, beside what, and what the ratio must reach.
import type { Bounds } from "./bounds.ts";
import type { Percentile } from "./load/plan.ts";
import type { MeasureName } from "./measures.ts";
import type { Part } from "./subjects/subject.ts";

/**
 * What of a measurement is compared: awards per second, a percentile of the latency, or the CPU of one award in all
 * processes or in one.
 */
export type Value = "awardsPerS" | "cpu" | { percentile: Percentile } | { cpuOf: Part };

/** As in docs/contributing/benchmarks.md; several lines may share an id. */
export type Target = Bounds & {
  id: string;
  title: string;
  ours: MeasureName;
  reference: MeasureName;
  value: Value;
};

export const least = { value: "awardsPerS", is: "least" } as const;
export const reported = { ...least, must: null, aim: null } as const;
export const mongodCpu = { value: { cpuOf: "mongod" }, is: "most", must: null, aim: null } as const;
export const p50 = { value: { percentile: 50 }, is: "most" } as const;
export const p99 = { value: { percentile: 99 }, is: "most" } as const;
