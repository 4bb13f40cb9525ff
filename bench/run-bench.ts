// One run: servers up, everything measured, servers down; its result as plain data for every kind of report.
import { describeMachine, type Machine } from "./machine.ts";
import type { Options } from "./options.ts";
import { measureIdle } from "./idle.ts";
import { measures, type MeasureName } from "./measures.ts";
import { median, ratioOf, verdictOf, type Ratio, type Verdict } from "./ratio.ts";
import type { Reading } from "./void-run.ts";
import { runSchedule, type Progress, type Readings } from "./schedule.ts";
import { startServers, type Servers } from "./servers.ts";
import type { Sizes } from "./size-names.ts";
import { measureSizes } from "./sizes.ts";
import type { Part } from "./subjects/subject.ts";
import { sizeTargets } from "./size-targets.ts";
import { isHeld, type Bounds } from "./bounds.ts";
import type { Target } from "./target.ts";
import { TARGET_IDS, targets } from "./targets.ts";

/** A target as it was measured; of a size all of the ratio is the one number. */
export type Line = Bounds & { id: string; title: string; ratio: Ratio; verdict: Verdict };
export type Result = {
  machine: Machine;
  rounds: number;
  seconds: number;
  lines: Line[];
  /** Targets that could not be measured here. */
  skipped: { id: string; title: string }[];
  readings: Readings;
};
type Output = { log: (line: string) => void; progress: Progress };

/** Of a measurement's time, before it: connections open, caches fill. */
const WARM_SHARE = 0.2;
const MIB = 2 ** 20;

/** Throws VoidRun when the run says nothing. */
export async function runBench(
  options: Pick<Options, "ids" | "rounds" | "seconds" | "quick" | "size">,
  output: Output,
): Promise<Result> {
  // Each port and each process that a bench holds is given back at its exit.
  process.setMaxListeners(100);
  const { ids, rounds, seconds, quick, size } = options;
  const chosen = targets.filter((target) => ids.has(target.id) && (!quick || isHeld(target)));
  const requested = new Set(chosen.flatMap(measuresOf));
  if (ids.has("13")) requested.add("ours").add("ours-batch");
  const wantsPostgres = [...requested].some((name) => measures[name].subject === "r9");
  const servers = await startServers({ log: output.log, wantsPostgres, size });
  try {
    const machine = describeMachine(servers.versions);
    // A quick run is held against quick runs alone, and a loss that the guard reports is larger than what this costs.
    const duration = { warmMs: seconds * 1_000 * WARM_SHARE, measureMs: seconds * 1_000, isSettled: !quick };
    const { readings, sizes: ofSubjects } =
      requested.size > 0
        ? await runSchedule(servers, { requested, rounds, duration, progress: output.progress })
        : { readings: {}, sizes: {} };
    const idle =
      ids.has("27") && process.platform === "linux"
        ? await measureIdle({ ...output, progress: (now) => output.progress(now, 0) })
        : {};
    const sizes = { ...ofSubjects, ...idle, ...(await sizesOf(ids, { servers, readings, ...output })) };
    const isMeasured = (target: Target): boolean => measuresOf(target).every((name) => readings[name] !== undefined);
    return {
      machine,
      rounds,
      seconds,
      lines: inOrder([
        ...chosen.filter(isMeasured).map((target) => lineOf(target, readings)),
        ...sizeLines(ids, sizes),
      ]),
      skipped: chosen.filter((target) => !isMeasured(target)).map(({ id, title }) => ({ id, title })),
      readings,
    };
  } finally {
    await servers.stop();
  }
}

function measuresOf({ ours, reference }: Target): MeasureName[] {
  return [ours, reference];
}

function lineOf({ id, title, ours, reference, value, is, must, aim }: Target, readings: Readings): Line {
  const of = (name: MeasureName): Reading[] => readings[name] ?? [];
  const ratio = ratioOf(of(ours), of(reference), value);
  return { id, title, is, must, aim, ratio, verdict: verdictOf(ratio.median, { is, must, aim }) };
}

async function sizesOf(
  ids: ReadonlySet<string>,
  { servers, readings, progress }: Output & { servers: Servers; readings: Readings },
): Promise<Sizes> {
  const conflicts = readings["ours-pair"]?.map(({ conflictsPercent }) => conflictsPercent);
  const ofReadings: Sizes = conflicts ? { conflictsPercent: median(conflicts) } : {};
  if (!ids.has("13") && !ids.has("14")) return ofReadings;
  const largest = (part: Part, ofRounds: readonly Reading[] = []): number =>
    Math.max(...ofRounds.map(({ rssBytes }) => rssBytes[part] ?? 0)) / MIB;
  return {
    ...ofReadings,
    apiUnderLoadMib: Math.max(largest("api", readings.ours), largest("api", readings["ours-batch"])),
    workerUnderLoadMib: largest("worker", readings["ours-batch"]),
    ...(await measureSizes(servers, (now) => progress(now, 1))),
  };
}

function sizeLines(ids: ReadonlySet<string>, sizes: Sizes): Line[] {
  return sizeTargets
    .filter(({ id }) => ids.has(id))
    .flatMap(({ size, ...line }) => {
      const value = sizes[size];
      if (value === undefined || !Number.isFinite(value)) return [];
      return [{ ...line, ratio: { median: value, lowest: value, highest: value }, verdict: verdictOf(value, line) }];
    });
}

function inOrder(lines: readonly Line[]): Line[] {
  return lines.toSorted((a, b) => TARGET_IDS.indexOf(a.id) - TARGET_IDS.indexOf(b.id));
}
