// What is measured: the measurements by name, in the order in which a round takes them.
import type { Spread } from "./load/plan.ts";
import type { SubjectName } from "./subjects/list.ts";

export type Measure = {
  subject: SubjectName;
  spread: Spread;
  callers: number;
  awardsPerRequest?: number;
  /** In a synchronous call, where there are several; else in a batch. */
  isCall?: boolean;
  /** Open loop, at this rate, or at this share of what another measurement reached in the same round. */
  rate?: { of: string; share: number } | { perSecond: number };
  /** Beside what else it can be made to do: reverse awards, count gains, delete events, answer reads of pages. */
  isBeside?: boolean;
  /** The delay of the connections to MongoDB and Redis, in each direction. */
  delayMs?: number;
};

const CALLERS = 128;
const sync = (subject: SubjectName, spread: Spread = "uniform"): Measure => ({ subject, spread, callers: CALLERS });
const singleCaller = (subject: SubjectName): Measure => ({ subject, spread: "uniform", callers: 1 });
/** More connections than requests that can be in progress, so that no request waits for a connection. */
const open = (subject: SubjectName): Measure => ({
  subject,
  spread: "uniform",
  callers: 512,
  rate: { of: "r1", share: 0.7 },
});
const batch = (subject: SubjectName): Measure => ({ subject, spread: "uniform", callers: 8, awardsPerRequest: 100 });
const call = (subject: SubjectName, callers = 20): Measure => ({
  subject,
  spread: "uniform",
  callers,
  awardsPerRequest: 50,
  isCall: true,
});
/** Game servers that report at leisure: what else the machine does is what makes them wait. */
const calm = (subject: SubjectName, isBeside: boolean): Measure => ({
  subject,
  spread: "uniform",
  callers: 64,
  rate: { perSecond: 200 },
  isBeside,
});
const paced = (subject: SubjectName, isBeside = false): Measure => ({
  subject,
  spread: "uniform",
  callers: 512,
  rate: { perSecond: 3_000 },
  isBeside,
});
const wired = (delayMs: number): Measure => ({ subject: "ours-far", spread: "uniform", callers: 512, delayMs });

/** In the order in which a round takes them. */
export const measures = {
  ours: sync("ours"),
  r1: sync("r1"),
  r2: sync("r2"),
  r3: sync("r3"),
  r9: sync("r9"),
  "ours-zipf": sync("ours", "zipf"),
  "r1-zipf": sync("r1", "zipf"),
  "ours-hot": sync("ours", "hot"),
  "r2-hot": sync("r2", "hot"),
  "r9-hot": sync("r9", "hot"),
  "ours-lone": singleCaller("ours"),
  "r1-lone": singleCaller("r1"),
  "ours-open": open("ours"),
  "r1-open": open("r1"),
  "ours-batch": batch("ours"),
  r5: batch("r5"),
  "ours-call": call("ours"),
  "r9-call": call("r9"),
  "r11-call": call("r11"),
  "ours-lone-call": call("ours", 1),
  "ours-sending": sync("ours-sending"),
  "ours-no-events": sync("ours-no-events"),
  "ours-paced": paced("ours-one-clan"),
  "ours-board-paced": paced("ours-board", true),
  "ours-one-clan": sync("ours-one-clan"),
  "ours-board": { ...sync("ours-board"), isBeside: true },
  "ours-large": sync("ours-large"),
  "ours-far": wired(2),
  "ours-near": wired(0),
  "ours-no-limits": sync("ours-no-limits"),
  "ours-no-lock": sync("ours-no-lock"),
  "ours-no-redis": sync("ours-no-redis"),
  "ours-pair": sync("ours-pair"),
  "ours-pair-no-redis": sync("ours-pair-no-redis"),
  "ours-quiet": calm("ours-reversing", false),
  "ours-reversing": calm("ours-reversing", true),
  "ours-uncounted": sync("ours-gains"),
  "ours-counted": { ...sync("ours-gains"), isBeside: true },
  "ours-uncounted-calm": calm("ours-gains", false),
  "ours-counted-calm": calm("ours-gains", true),
  "ours-idle": sync("ours"),
  "ours-no-idle": sync("ours-no-idle"),
  "ours-unvisited": calm("ours-visited", false),
  "ours-visited": calm("ours-visited", true),
  "ours-keeping": sync("ours-aging"),
  "ours-deleting": { ...sync("ours-aging"), isBeside: true },
} as const satisfies Record<string, Measure>;
export type MeasureName = keyof typeof measures;
