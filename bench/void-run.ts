// One measurement of one subject in one round: the load, what CPU it took where, and whether it may count.
import { AMOUNT, type LoadResult } from "./load/plan.ts";
import type { LedgerTotals, Part } from "./subjects/subject.ts";

export type Reading = {
  load: LoadResult;
  /** µs of CPU for one award, in each process that had a part in it. */
  cpuUsPerAward: Partial<Record<Part, number>>;
  /** Memory at the end of the window, in bytes. */
  rssBytes: Partial<Record<Part, number>>;
  /** Inserts that met an entry of another process, in percent of the entries written. */
  conflictsPercent: number;
};

/** The run says nothing: its numbers are of something else than what was to be measured. */
export class VoidRun extends Error {
  override readonly name = "VoidRun";
  /** Nothing is wrong, but nothing came within the window either: the machine is too slow or too busy for it. */
  readonly isTooShort: boolean;

  constructor(reason: string, { isTooShort = false } = {}) {
    super(reason);
    this.isTooShort = isTooShort;
  }
}

/** Why this load cannot count; null: every request was answered with 200. */
export function loadFault({ failures }: Pick<LoadResult, "failures">): string | null {
  const listed = Object.entries(failures).map(([what, times]) => `${times} × ${what}`);
  return listed.length > 0 ? `not every award was acknowledged: ${listed.join(", ")}` : null;
}

/** Why the ledger is wrong; null if it grew by exactly what was acknowledged. */
export function totalsFault(before: LedgerTotals, after: LedgerTotals, awardsAcknowledged: number): string | null {
  const due = BigInt(awardsAcknowledged) * BigInt(AMOUNT);
  const grown = after.xp - before.xp;
  if (grown !== due)
    return `${awardsAcknowledged} awards of ${AMOUNT} XP were acknowledged, and XP grew by ${grown} instead of ${due}`;
  if (before.entries === null || after.entries === null) return null;
  const written = after.entries - before.entries;
  if (written === BigInt(awardsAcknowledged)) return null;
  return `${awardsAcknowledged} awards were acknowledged, and the ledger grew by ${written} entries`;
}
