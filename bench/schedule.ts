// The order of a run: every subject up, then rounds in which each measurement comes once, A B C, A B C, … so that
// whatever the machine does meanwhile happens to all of them. Only the subject that is measured has anything to do.
import { startGenerator, type Generator } from "./load/run-load.ts";
import { measureOnce, type Duration } from "./measure-once.ts";
import { VoidRun, type Reading } from "./void-run.ts";
import type { Servers } from "./servers.ts";
import type { Sizes } from "./size-names.ts";
import { subjects, type SubjectName } from "./subjects/list.ts";
import type { Subject } from "./subjects/subject.ts";
import { measures, type Measure, type MeasureName } from "./measures.ts";

export type Readings = Partial<Record<MeasureName, Reading[]>>;
/** `share` of the run that is done. */
export type Progress = (now: string, share: number) => void;
export type Schedule = { requested: ReadonlySet<MeasureName>; rounds: number; duration: Duration; progress: Progress };

/**
 * Answers readings by measurement, one for each round, and the sizes of the subjects. Subjects that cannot be here have
 * none. Throws VoidRun.
 */
export async function runSchedule(servers: Servers, schedule: Schedule): Promise<{ readings: Readings; sizes: Sizes }> {
  const names = inOrder(schedule.requested);
  const up = new Map<SubjectName, Subject>();
  const generator = await startGenerator();
  try {
    for (const name of new Set(names.map((one) => measures[one].subject))) {
      schedule.progress(`starting ${name}`, 0);
      const subject = await subjects[name](servers, (line) => schedule.progress(line, 0));
      if (subject) up.set(name, subject);
    }
    const readings = await runRounds(names, { up, generator, ...schedule });
    const sizes: Sizes = {};
    for (const [name, subject] of up) {
      schedule.progress(`measuring ${name} once`, 1);
      Object.assign(sizes, await orVoid(name, Promise.resolve(subject.measureSizes?.())));
      schedule.progress(`proving the books of ${name}`, 1);
      const fault = await subject.verify?.();
      if (fault) throw new VoidRun(`${name}: ${fault}`);
    }
    return { readings, sizes };
  } finally {
    generator.close();
    for (const subject of up.values()) await subject.close();
  }
}

type Running = Omit<Schedule, "wanted"> & { up: ReadonlyMap<SubjectName, Subject>; generator: Generator };

async function runRounds(
  names: readonly MeasureName[],
  { up, generator, rounds, duration, progress }: Running,
): Promise<Readings> {
  const readings: Readings = {};
  const latest = new Map<string, Reading>();
  const possible = names.flatMap((name) => {
    const subject = up.get(measures[name].subject);
    return subject ? [{ name, subject }] : [];
  });
  // The first round warms everything up and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { name, subject }] of possible.entries()) {
      const share = (round * possible.length + index) / ((rounds + 1) * possible.length);
      progress(`${round === 0 ? "warm-up" : `round ${round} of ${rounds}`}: ${name}`, share);
      const measure: Measure = measures[name];
      const perSecond = perSecondOf(measure, latest);
      const reading = await orVoid(
        name,
        measureOnce(subject, { ...measure, perSecond }, { generator, duration, isWarmUp: round === 0 }),
      );
      latest.set(name, reading);
      if (round > 0) (readings[name] ??= []).push(reading);
    }
  }
  return readings;
}

/** Null: closed loop. */
function perSecondOf({ rate }: Measure, latest: ReadonlyMap<string, Reading>): number | null {
  if (!rate) return null;
  return "perSecond" in rate ? rate.perSecond : rate.share * (latest.get(rate.of)?.load.awardsPerS ?? 0);
}

/** What is wanted and what its rates are taken from, as the table has it. */
function inOrder(requested: ReadonlySet<MeasureName>): MeasureName[] {
  const all = Object.entries(measures) as [MeasureName, Measure][];
  const rates = new Set(
    all.filter(([name]) => requested.has(name)).flatMap(([, { rate }]) => (rate && "of" in rate ? [rate.of] : [])),
  );
  return all.map(([name]) => name).filter((name) => requested.has(name) || rates.has(name));
}

async function orVoid<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof VoidRun ? new VoidRun(`${name}: ${error.message}`, error) : error;
  }
}
