// Measures one subject once: load, CPU at both ends of the window, totals afterwards. Throws VoidRun where it cannot
// count.
import { setTimeout as pause } from "node:timers/promises";
import type { Generator } from "./load/run-load.ts";
import { cpuUsOf, rssOf } from "./processes.ts";
import { totalsFault, loadFault, VoidRun, type Reading } from "./void-run.ts";
import type { LedgerTotals, Part, Subject } from "./subjects/subject.ts";
import type { Measure } from "./measures.ts";

const TOTALS_PAUSE_MS = 100;

/** `isSettled`: measured once documents are written at the rate of the awards, which takes up to 8 s more. */
export type Duration = { warmMs: number; measureMs: number; isSettled: boolean };

export async function measureOnce(
  subject: Subject,
  measure: Measure & { perSecond: number | null },
  { generator, duration, isWarmUp }: { generator: Generator; duration: Duration; isWarmUp: boolean },
): Promise<Reading> {
  const { spread, callers, awardsPerRequest = 1, isCall = false, isBeside = false, perSecond } = measure;
  const before = await subject.readTotals?.();
  const conflictsBefore = (await subject.readConflicts?.()) ?? 0;
  subject.setDelay?.(measure.delayMs ?? 0);
  if (isBeside) await subject.beside?.begin();
  let cpuBegan: Partial<Record<Part, number>> = {};
  let cpuEnded: Partial<Record<Part, number>> = {};
  let rssBytes: Reading["rssBytes"] = {};
  const { port, clans, membersTotal } = subject;
  const { isSettled, ...window } = duration;
  const plan = { port, clans, membersTotal, spread, awardsPerRequest, isCall, callers, perSecond, ...window };
  // Nothing that a warm-up measures counts.
  if (isSettled && !isWarmUp) plan.warmMs = Math.max(plan.warmMs, subject.settlesInMs ?? 0);
  const load = await (subject.generator ?? generator).run(plan, {
    began: () => void (cpuBegan = ofEach(subject, cpuOf)),
    ended() {
      cpuEnded = ofEach(subject, cpuOf);
      rssBytes = ofEach(subject, (_part, pid) => rssOf(pid));
    },
  });

  const fault = (isBeside ? await subject.beside?.end() : null) ?? loadFault(load);
  if (fault) throw new VoidRun(fault);
  if (load.awards === 0 && !isWarmUp)
    throw new VoidRun("no award was acknowledged within the window: --seconds makes it longer", { isTooShort: true });
  const unbalanced = before ? await totalsFaultOf(subject, before, load.awardsInAll) : null;
  if (unbalanced) throw new VoidRun(unbalanced);
  const cpuUsPerAward = ofEach(subject, (part) => ((cpuEnded[part] ?? 0) - (cpuBegan[part] ?? 0)) / load.awards);
  const conflicts = ((await subject.readConflicts?.()) ?? 0) - conflictsBefore;
  return {
    load: subject.generator ? { ...load, cpuShare: null } : load,
    cpuUsPerAward,
    rssBytes,
    conflictsPercent: (100 * conflicts) / load.awardsInAll,
  };
}

/** Reads again for as long as its totals may lag. */
async function totalsFaultOf(
  { readTotals, totalsLagMs = 0 }: Subject,
  before: LedgerTotals,
  awards: number,
): Promise<string | null> {
  const endMs = performance.now() + totalsLagMs;
  for (;;) {
    const isLast = performance.now() >= endMs;
    const after = await readTotals?.();
    const fault = after ? totalsFault(before, after, awards) : null;
    if (!fault || isLast) return fault;
    await pause(TOTALS_PAUSE_MS);
  }
}

/** PostgreSQL has a process for each connection. */
function cpuOf(part: Part, pid: number): number {
  return cpuUsOf(pid, { withChildren: part === "postgres" });
}

function ofEach(subject: Subject, of: (part: Part, pid: number) => number): Partial<Record<Part, number>> {
  return Object.fromEntries(
    Object.entries(subject.pids).map(([part, pids]) => [
      part,
      pids.reduce((sum, pid) => sum + of(part as Part, pid), 0),
    ]),
  );
}
