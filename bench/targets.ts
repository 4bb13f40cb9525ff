// What the measurements are held against: the targets, as ratios of two of them. What 10 to 12 must reach is the result
// that was published with version 0.1.0, made worse by 5 %.
import type { Bounds } from "./bounds.ts";
import type { Percentile } from "./load/plan.ts";
import type { MeasureName } from "./measures.ts";
import { sizeTargets } from "./size-targets.ts";
import type { Part } from "./subjects/subject.ts";

/**
 * What of a measurement is compared: awards per second, a percentile of the latency, or the CPU of one award in all
 * processes or in one.
 */
export type Value = "awardsPerS" | "cpu" | { percentile: Percentile } | { cpuOf: Part };

/** As in docs/contributing/benchmarks.md; several lines may share an id. `without`: subtracted from `ours`. */
export type Target = Bounds & {
  id: string;
  title: string;
  ours: MeasureName;
  without?: MeasureName;
  reference: MeasureName;
  value: Value;
};

const least = { value: "awardsPerS", is: "least" } as const;
const reported = { ...least, must: null, aim: null } as const;
const mongodCpu = { value: { cpuOf: "mongod" }, is: "most", must: null, aim: null } as const;
const p50 = { value: { percentile: 50 }, is: "most" } as const;
const p99 = { value: { percentile: 99 }, is: "most" } as const;

export const targets: readonly Target[] = [
  { id: "1", title: "awards/s, distinct members / R1", ours: "ours", reference: "r1", ...least, must: 2.5, aim: 3.5 },
  { id: "1", title: "awards/s, Zipf 1.1 / R1", ours: "ours-zipf", reference: "r1-zipf", ...reported },
  { id: "1", title: "awards/s, distinct members / R4", ours: "ours", reference: "r4", ...reported },
  { id: "2", title: "awards/s, distinct members / R2", ours: "ours", reference: "r2", ...least, must: 9, aim: 14 },
  { id: "3", title: "awards/s, distinct members / R3", ours: "ours", reference: "r3", ...least, must: 6, aim: 10 },
  { id: "3b", title: "awards/s, distinct members / R9", ours: "ours", reference: "r9", ...least, must: 1.2, aim: 2 },
  {
    id: "3b",
    title: "awards/s, one hot member / R9",
    ours: "ours-hot",
    reference: "r9-hot",
    ...least,
    must: 2.3,
    aim: 4,
  },
  {
    id: "4",
    title: "awards/s, one hot member / R2",
    ours: "ours-hot",
    reference: "r2-hot",
    ...least,
    must: 20,
    aim: 40,
  },
  {
    id: "5",
    title: "p50 of an unloaded award / R1",
    ours: "ours-lone",
    reference: "r1-lone",
    ...p50,
    must: 1.5,
    aim: 1.1,
  },
  {
    id: "6",
    title: "p99 at 70 % of R1's saturation / R1",
    ours: "ours-open",
    reference: "r1-open",
    ...p99,
    must: 1,
    aim: 0.5,
  },
  {
    id: "7",
    title: "batch awards/s, to the result / R5",
    ours: "ours-batch",
    reference: "r5",
    ...least,
    must: 0.5,
    aim: 0.7,
  },
  {
    id: "8",
    title: "batch awards/s, to the result / R8",
    ours: "ours-batch",
    reference: "r8",
    ...least,
    must: 5.5,
    aim: 10,
  },
  {
    id: "9",
    title: "requests/s, committer stubbed out / R6",
    ours: "ours-stub",
    reference: "r6",
    ...least,
    must: 0.95,
    aim: 1.5,
  },
  {
    id: "9",
    title: "requests/s, committer stubbed out / R7",
    ours: "ours-stub",
    reference: "r7",
    ...least,
    must: 0.45,
    aim: 0.8,
  },
  {
    id: "10",
    title: "awards/s, 5,000,000 entries / few",
    ours: "ours-large",
    reference: "ours",
    ...least,
    must: 0.732,
    aim: 0.9,
  },
  {
    id: "11",
    title: "awards/s, 512 callers, 2 ms each way / none",
    ours: "ours-far",
    reference: "ours-near",
    ...least,
    must: 0.771,
    aim: 0.95,
  },
  {
    id: "12",
    title: "awards/s, rate limits on / off",
    ours: "ours",
    reference: "ours-no-limits",
    ...least,
    must: 0.884,
    aim: 1,
  },
  {
    id: "12",
    title: "awards/s, lock on / off",
    ours: "ours",
    reference: "ours-no-lock",
    ...least,
    must: 0.904,
    aim: 1,
  },
  {
    id: "12",
    title: "awards/s, Redis stopped / running",
    ours: "ours-no-redis",
    reference: "ours",
    ...least,
    must: 1.13,
    aim: null,
  },
  {
    id: "15",
    title: "awards/s, calls of 50 / R9, single requests",
    ours: "ours-call",
    reference: "r9",
    ...least,
    must: 3,
    aim: 6,
  },
  { id: "15", title: "awards/s, calls of 50 / R5", ours: "ours-call", reference: "r5", ...least, must: 0.5, aim: 0.8 },
  {
    id: "15",
    title: "awards/s, calls of 50 / R9, calls of 50",
    ours: "ours-call",
    reference: "r9-call",
    ...least,
    must: 0.8,
    aim: 1.5,
  },
  { id: "15", title: "awards/s, R11 / R9, calls of 50", ours: "r11-call", reference: "r9-call", ...reported },
  {
    id: "16",
    title: "p50 of a single request with 50 awards / with one, unloaded",
    ours: "ours-lone-call",
    reference: "ours-lone",
    ...p50,
    must: 3,
    aim: null,
  },
  {
    id: "17",
    title: "CPU of MongoDB for an award, distinct members / R1",
    ours: "ours",
    reference: "r1",
    value: { cpuOf: "mongod" },
    is: "most",
    must: 0.2,
    aim: 0.15,
  },
  {
    id: "18",
    title: "awards/s, 2 APIs that share 1,000 members, Redis stopped / running",
    ours: "ours-pair-no-redis",
    reference: "ours-pair",
    ...least,
    must: 0.5,
    aim: null,
  },
  {
    id: "19",
    title: "p99 of single awards, 100,000 reversals in progress / none",
    ours: "ours-reversing",
    reference: "ours-quiet",
    ...p99,
    must: 2,
    aim: null,
  },
  {
    id: "20",
    title: "CPU that Express adds to a request (R10 − R7) / CPU of an award",
    ours: "r10",
    without: "r7",
    reference: "ours",
    value: "cpu",
    is: "most",
    must: 0.03,
    aim: null,
  },
  {
    id: "20",
    title: "CPU that Express adds to a request (R10 − R7) / that of the API alone",
    ours: "r10",
    without: "r7",
    reference: "ours",
    value: { cpuOf: "api" },
    is: "most",
    must: null,
    aim: null,
  },
  {
    id: "21",
    title: "awards/s, 1 % of them change a rank, with events / without",
    ours: "ours",
    reference: "ours-no-events",
    ...least,
    must: 0.95,
    aim: 1,
  },
  {
    id: "21",
    title: "CPU of MongoDB for an award, 1 % of them change a rank, with events / without",
    ours: "ours",
    reference: "ours-no-events",
    ...mongodCpu,
  },
  {
    id: "22",
    title: "awards/s, 1 % of them change a rank, with 10 hanging and 10 failing destinations / without",
    ours: "ours-sending",
    reference: "ours",
    ...least,
    must: 0.95,
    aim: 1,
  },
  {
    id: "23",
    title: "awards/s of 3,000 requested, a board read once a second / no board",
    ours: "ours-board-paced",
    reference: "ours-paced",
    ...least,
    must: 0.9,
    aim: 1,
  },
  {
    id: "23",
    title: "CPU of MongoDB for an award of these, a board read once a second / no board",
    ours: "ours-board-paced",
    reference: "ours-paced",
    ...mongodCpu,
  },
  {
    id: "23",
    title: "awards/s, a board read once a second / no board",
    ours: "ours-board",
    reference: "ours-one-clan",
    ...reported,
  },
];

/** Every target, in the order of the table. */
export const TARGET_IDS: readonly string[] = [...new Set([...targets, ...sizeTargets].map(({ id }) => id))];
export const QUICK: readonly string[] = ["1", "2", "4", "7"];
