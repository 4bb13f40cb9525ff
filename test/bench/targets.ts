// What is measured and what it is held against: the measurements by name, and the targets as ratios of two of them.
import type { Percentile, Spread } from "./load/plan.ts";
import type { SubjectName } from "./subjects/list.ts";

export type Measure = {
  subject: SubjectName;
  spread: Spread;
  callers: number;
  awardsPerRequest?: number;
  /** Open loop, at this share of what another measurement reached in the same round. */
  rate?: { of: string; share: number };
};

const CALLERS = 128;
const sync = (subject: SubjectName, spread: Spread = "uniform"): Measure => ({ subject, spread, callers: CALLERS });
const lone = (subject: SubjectName): Measure => ({ subject, spread: "uniform", callers: 1 });
/** More connections than can be under way at once, so that none has to wait for one. */
const open = (subject: SubjectName): Measure => ({ subject, spread: "uniform", callers: 512, rate: { of: "r1", share: 0.7 } });

/** In the order in which a round takes them. */
export const measures = {
  ours: sync("ours"),
  r1: sync("r1"),
  r2: sync("r2"),
  r3: sync("r3"),
  "ours-hot": sync("ours", "hot"),
  "r2-hot": sync("r2", "hot"),
  "ours-lone": lone("ours"),
  "r1-lone": lone("r1"),
  "ours-open": open("ours"),
  "r1-open": open("r1"),
} as const satisfies Record<string, Measure>;
export type MeasureName = keyof typeof measures;

/** What of a measurement is compared: awards per second, or a percentile of the latency. */
export type Value = "awardsPerS" | { percentile: Percentile };

export type Target = {
  /** As in docs/performance.md; several lines may share one. */
  id: string;
  title: string;
  ours: MeasureName;
  reference: MeasureName;
  value: Value;
  /** `most`: the ratio is to be at most this. Null: told, not held. */
  is: "least" | "most";
  must: number | null;
  aim: number | null;
};

const least = { value: "awardsPerS", is: "least" } as const;

export const targets: readonly Target[] = [
  { id: "1", title: "awards/s, distinct members / R1", ours: "ours", reference: "r1", ...least, must: 2.8, aim: 4.5 },
  { id: "2", title: "awards/s, distinct members / R2", ours: "ours", reference: "r2", ...least, must: 7, aim: 14 },
  { id: "3", title: "awards/s, distinct members / R3", ours: "ours", reference: "r3", ...least, must: 5, aim: 10 },
  { id: "4", title: "awards/s, one hot member / R2", ours: "ours-hot", reference: "r2-hot", ...least, must: 20, aim: 40 },
  {
    id: "5",
    title: "p50 of a lone award / R1",
    ours: "ours-lone",
    reference: "r1-lone",
    value: { percentile: 50 },
    is: "most",
    must: 2.5,
    aim: 1.5,
  },
  {
    id: "6",
    title: "p99 at 70 % of R1's saturation / R1",
    ours: "ours-open",
    reference: "r1-open",
    value: { percentile: 99 },
    is: "most",
    must: 1,
    aim: 0.5,
  },
];

export const QUICK = ["1", "2", "4", "7"];
