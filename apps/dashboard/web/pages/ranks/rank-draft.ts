// The edited list of ranks, and the request that saves it.
import { RanksRequest, type EditedRank, type RankSettings } from "#contract/dashboard/ranks.ts";
import type { RankKind } from "#domain/rank.ts";
import { parse } from "#contract/parse.ts";
import { XP_MAX } from "#domain/bounds.ts";
import { numberText, plainNumber } from "../../parts/numbers.ts";

/** `was`: the name of the rank in the stored list; null for a new rank. `threshold`: as it was typed. */
export type RankRow = { key: number; name: string; kind: RankKind; threshold: string; was: string | null };

/** `stored`: the settings on which the edits are based. */
export type RankDraft = { stored: RankSettings; rows: readonly RankRow[]; autoClan: boolean };

export function draftOf(stored: RankSettings): RankDraft {
  const rows = stored.ranks.map(({ name, kind, threshold = "" }, key): RankRow => ({
    key,
    name,
    kind,
    threshold: shown(threshold),
    was: name,
  }));
  return { stored, rows, autoClan: stored.autoClan };
}

export function newRow(rows: readonly RankRow[]): RankRow {
  return { key: Math.max(0, ...rows.map(({ key }) => key)) + 1, name: "", kind: "NORMAL", threshold: "", was: null };
}

/** Sorts the NORMAL ranks by threshold, which get separators; all other ranks keep their positions. */
export function inOrder(typed: RankDraft): RankDraft {
  const draft = { ...typed, rows: typed.rows.map((row) => ({ ...row, threshold: shown(thresholdOf(row)) })) };
  const normal = draft.rows.filter(({ kind }) => kind === "NORMAL");
  if (normal.some((row) => !/^\d+$/.test(thresholdOf(row)))) return draft;
  const waiting = normal.toSorted((a, b) => compare(BigInt(thresholdOf(a)), BigInt(thresholdOf(b))));
  return { ...draft, rows: draft.rows.map((row) => (row.kind === "NORMAL" ? (waiting.shift() ?? row) : row)) };
}

export function requestOf({ stored, rows }: RankDraft): RanksRequest {
  const ranks = rows.map((row): EditedRank => {
    const { name, kind, was } = row;
    return { name: name.trim(), kind, threshold: kind === "NORMAL" ? thresholdOf(row) : null, was };
  });
  return { stored: stored.ranks, ranks };
}

/** The same text for the same list. */
export function textOf(draft: RankDraft): string {
  return JSON.stringify(requestOf(draft));
}

export function hasNewRanks(draft: RankDraft): boolean {
  return textOf(draft) !== textOf(draftOf(draft.stored));
}

/** What differs from the stored settings: ranks that are new, changed or removed, and Auto Clan. */
export function changesOf({ stored, rows, autoClan }: RankDraft): number {
  const changed = rows.filter((row) => isChanged(stored, row));
  const removed = stored.ranks.length - rows.filter(({ was }) => was !== null).length;
  return changed.length + removed + (autoClan === stored.autoClan ? 0 : 1);
}

function isChanged({ ranks }: RankSettings, row: RankRow): boolean {
  const before = ranks.find(({ name }) => name === row.was);
  if (!before) return true;
  const threshold = row.kind === "NORMAL" ? thresholdOf(row) : undefined;
  return row.name.trim() !== before.name || row.kind !== before.kind || threshold !== before.threshold;
}

export type RankFault = { pointer: string; detail: string };

/** Every fault of the list at its field. The server checks the list again. */
export function faultsOf(draft: RankDraft): readonly RankFault[] {
  const parsed = parse(RanksRequest, requestOf(draft));
  if (!parsed.ok) return parsed.faults;
  return draft.rows.flatMap((row, index): RankFault[] => {
    const faults: RankFault[] = [];
    const at = (field: "name" | "threshold", detail: string) =>
      faults.push({ pointer: `/ranks/${index}/${field}`, detail });
    if (repeats(draft, row, ({ name }) => name.trim())) at("name", "Another rank has this name");
    if (row.kind !== "NORMAL") return faults;
    if (BigInt(thresholdOf(row)) > XP_MAX) at("threshold", `must be at most ${numberText(XP_MAX)}`);
    if (repeats(draft, row, valueOf)) at("threshold", "Another rank has this threshold");
    return faults;
  });
}

const valueOf = (row: RankRow): string | null => (row.kind === "NORMAL" ? String(BigInt(thresholdOf(row))) : null);

/** Whether another rank has the same value. Of the two, it is the fault of the changed one, or of the later one. */
function repeats({ stored, rows }: RankDraft, row: RankRow, of: (row: RankRow) => string | null): boolean {
  return rows.some((other) => {
    if (other === row || of(other) !== of(row)) return false;
    const [isOwn, isOther] = [isChanged(stored, row), isChanged(stored, other)];
    return isOwn === isOther ? rows.indexOf(other) < rows.indexOf(row) : isOwn;
  });
}

/** With separators, if it is a number. */
function shown(threshold: string): string {
  return /^\d{1,19}$/.test(threshold) ? numberText(threshold) : threshold;
}

function thresholdOf({ threshold }: RankRow): string {
  return plainNumber(threshold);
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
