// What API and CLI answer alike: the domain's values with bigint and Date as text.
import type { Rank, RankKind } from "#domain/clan.ts";
import type { BatchCode } from "#domain/batch-code.ts";
import { isRefused, type Batch, type BatchOutcome, type BatchState } from "#usecases/batch.ts";

export type RankAnswer = { name: string; kind: RankKind; threshold?: string };

export function rankAnswers(ranks: readonly Rank[]): RankAnswer[] {
  return ranks.map((rank) =>
    rank.kind === "NORMAL"
      ? { name: rank.name, kind: rank.kind, threshold: rank.threshold.toString() }
      : { name: rank.name, kind: rank.kind },
  );
}

export type BatchResultAnswer =
  | { index: number; platformId: string; status: "applied"; xp: string; rank: string }
  | { index: number; platformId: string | null; status: "rejected"; error: { code: BatchCode; detail: string } };

export function batchResults(outcomes: readonly BatchOutcome[]): { applied: number; results: BatchResultAnswer[] } {
  const results = outcomes.map((outcome, index): BatchResultAnswer => {
    if (isRefused(outcome)) {
      return { index, platformId: outcome.platformId, status: "rejected", error: { code: outcome.code, detail: outcome.detail } };
    }
    return { index, platformId: outcome.platformId, status: "applied", xp: outcome.xp.toString(), rank: outcome.rank };
  });
  return { applied: results.filter((result) => result.status === "applied").length, results };
}

export type BatchStateAnswer = {
  batchId: string;
  status: BatchState;
  applied: number;
  results: BatchResultAnswer[];
  createdAt: string;
  finishedAt: string | null;
};

export function batchState(batch: Batch): BatchStateAnswer {
  return {
    batchId: batch.batchId,
    status: batch.state,
    ...batchResults(batch.outcomes),
    createdAt: batch.createdAt.toISOString(),
    finishedAt: batch.finishedAt?.toISOString() ?? null,
  };
}
