// A reset: each member of a clan loses the XP that they had at a time, except a share of it. What was reversed or
// reset since is not taken a second time: a correction counts at the time of what it corrects, as in a board. So
// what was awarded after that time stays, whenever the reset runs.
//
// It is stored and runs like a reversal: what a member had then takes the place of a selected award. States:
// scheduled until its time, then queued → running → done. A person can cancel it before it runs.
import type { Reversal, Run } from "#domain/reversal.ts";

/** How far ahead or back the time of a reset may be: a season and a few weeks. */
export const RESET_DAYS_MAX = 90;

export type ResetSelection = { kind: "xp"; clanId: string; resetId: string; at: Date; keepPercent: number };
export const resetStates = ["scheduled", "queued", "running", "done", "cancelled"] as const;
export type ResetState = (typeof resetStates)[number];
export type Reset = Run<ResetState> & { selection: ResetSelection };
/** What a worker runs in steps. */
export type Correction = Reversal | Reset;

export function isReset(correction: Correction): correction is Reset {
  return correction.selection.kind === "xp";
}

/** What a member loses who had this XP. What stays is rounded down; who had 0 or less loses nothing. */
export function lossOf(had: bigint, keepPercent: number): bigint {
  if (had <= 0n) return 0n;
  return had - (had * BigInt(keepPercent)) / 100n;
}

export function isWithinReach(at: Date, now: Date): boolean {
  return Math.abs(at.getTime() - now.getTime()) <= RESET_DAYS_MAX * 24 * 60 * 60_000;
}
