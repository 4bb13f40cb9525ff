// One run: servers up, everything measured, servers down; its result as plain data for every kind of report.
import { describeMachine, type Machine } from "./machine.ts";
import { ratioOf, verdictOf, type Ratio, type Verdict } from "./ratio.ts";
import type { Options } from "./options.ts";
import { runSchedule, type Progress, type Readings } from "./schedule.ts";
import { startServers } from "./servers.ts";
import { measures, targets, type MeasureName, type Target } from "./targets.ts";

export type Line = Target & { ratio: Ratio; verdict: Verdict };
export type Result = {
  machine: Machine;
  rounds: number;
  seconds: number;
  lines: Line[];
  /** Targets that could not be measured here. */
  skipped: { id: string; title: string }[];
  readings: Readings;
};

const WARM_SHARE = 0.2;

/** Throws VoidRun when the run says nothing. */
export async function runBench(
  { ids, rounds, seconds }: Pick<Options, "ids" | "rounds" | "seconds">,
  { log, progress }: { log: (line: string) => void; progress: Progress },
): Promise<Result> {
  const chosen = targets.filter(({ id }) => ids.has(id));
  const wanted = new Set<MeasureName>(chosen.flatMap(({ ours, reference }) => [ours, reference]));
  const wantsPostgres = [...wanted].some((name) => measures[name].subject.startsWith("r9"));
  const servers = await startServers({ log, wantsPostgres });
  try {
    const machine = describeMachine(servers.versions);
    const measureMs = seconds * 1_000;
    const duration = { warmMs: measureMs * WARM_SHARE, measureMs };
    const readings = await runSchedule(servers, { wanted, rounds, duration, progress });
    const isHere = ({ ours, reference }: Target): boolean => readings[ours] !== undefined && readings[reference] !== undefined;
    return {
      machine,
      rounds,
      seconds,
      lines: chosen.filter(isHere).map((target) => lineOf(target, readings)),
      skipped: chosen.filter((target) => !isHere(target)).map(({ id, title }) => ({ id, title })),
      readings,
    };
  } finally {
    await servers.stop();
  }
}

function lineOf(target: Target, readings: Readings): Line {
  const ratio = ratioOf(readings[target.ours] ?? [], readings[target.reference] ?? [], target.value);
  return { ...target, ratio, verdict: verdictOf(ratio.median, target) };
}
