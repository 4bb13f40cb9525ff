// The edited list of ranks, and the request that saves it.
import type { EditedRank, RankSettings, RanksRequest } from "#contract/dashboard/ranks.ts";
import type { RankKind } from "#domain/rank.ts";
import { plainNumber } from "../../parts/numbers.ts";

/** `was`: the name of the rank in the stored list; null for a new rank. `threshold`: as it was typed. */
export type RankRow = { key: number; name: string; kind: RankKind; threshold: string; was: string | null };

/** `stored`: the settings on which the edits are based. */
export type RankDraft = { stored: RankSettings; rows: readonly RankRow[]; autoClan: boolean };

export function draftOf(stored: RankSettings): RankDraft {
  const rows = stored.ranks.map(({ name, kind, threshold = "" }, key): RankRow => ({
    key,
    name,
    kind,
    threshold,
    was: name,
  }));
  return { stored, rows, autoClan: stored.autoClan };
}

export function newRow(rows: readonly RankRow[]): RankRow {
  return { key: Math.max(0, ...rows.map(({ key }) => key)) + 1, name: "", kind: "NORMAL", threshold: "", was: null };
}

/** Sorts the NORMAL ranks by threshold; all other ranks keep their positions. */
export function inOrder(draft: RankDraft): RankDraft {
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

function thresholdOf({ threshold }: RankRow): string {
  return plainNumber(threshold);
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
