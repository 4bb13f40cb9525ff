// Converts the domain's values to those that the API and the CLI return: bigint and Date become text. Typed by the
// schemas beside it.
import type { BoardResponse, PeriodResponse, StandingResponse } from "#contract/board.ts";
import type { AwardResponse } from "#contract/award.ts";
import { awardIdOf } from "#contract/award-id.ts";
import type { AwardsResponse, AwardsResult } from "#contract/awards.ts";
import type { BatchResponse, BatchResult, BatchState } from "#contract/batch.ts";
import type { ClanResponse } from "#contract/clan.ts";
import type { EntryResponse } from "#contract/entry.ts";
import type { MemberResponse } from "#contract/member.ts";
import type { ReversalAccepted, ReversalPreview, ReversalState } from "#contract/reversal.ts";
import { reversedAwardId } from "#domain/award-key.ts";
import type { AppliedBoost, Boost, StoredBoost } from "#domain/boost.ts";
import { limitOf, type Entry } from "#domain/entry.ts";
import type { AwardResult } from "#domain/outcome.ts";
import { appliedIn, isRejected, type Batch } from "#domain/batch.ts";
import type { Clan } from "#domain/clan.ts";
import type { Board } from "#domain/board.ts";
import type { Period, PeriodStatus } from "#domain/period.ts";
import { standingOf, type Rank } from "#domain/rank.ts";
import type { Member } from "#domain/member.ts";
import type { Position } from "#domain/position.ts";
import type { Totals } from "#domain/totals.ts";
import type { Reversal } from "#domain/reversal.ts";

export function awardResponse(entry: Entry, withChange: boolean): AwardResponse {
  const { platformId, rank } = entry;
  const response = { platformId, xp: entry.xp.toString(), rank };
  if (!withChange) return response;
  return {
    ...response,
    change: {
      awardId: awardIdOf(entry),
      amount: entry.amount.toString(),
      applied: entry.applied.toString(),
      boost: entry.boost ? awardBoost(entry.boost) : null,
      limitedBy: limitOf(entry),
      previousXp: (entry.xp - entry.applied).toString(),
      previousRank: entry.previousRank,
      rankChanged: entry.rank !== entry.previousRank,
      ranksPassed: ranksPassedBy(entry),
      membershipCreated: entry.membershipCreated,
      nextRank: entry.nextRank,
      xpToNextRank: entry.xpToNextRank?.toString() ?? null,
    },
  };
}

function awardBoost({ boostId, name, percent, amount }: AppliedBoost) {
  return { boostId, name, percent, amount: amount.toString() };
}

/** An entry of version 0.1.0 shows only the last rank that it reached. */
function ranksPassedBy({ ranksPassed, rank, previousRank, applied, membershipCreated }: Entry): string[] {
  const rose = rank !== previousRank && (applied > 0n || membershipCreated);
  return [...(ranksPassed ?? (rose ? [rank] : []))];
}

/** `results[index]` is the outcome of `awards[index]`. */
export function awardsResponse(
  awards: readonly { platformId: string }[],
  results: readonly AwardResult[],
  withChange: boolean,
): AwardsResponse {
  let applied = 0;
  const responses = results.map((result, index): AwardsResult => {
    const platformId = awards[index]?.platformId ?? "";
    switch (result.kind) {
      case "applied":
      case "replayed": {
        applied += 1;
        const { xp, rank, change } = awardResponse(result.entry, withChange);
        return { index, platformId, status: result.kind, xp, rank, ...(change ? { change } : {}) };
      }
      case "rejected":
        return { index, platformId, status: "rejected", error: { code: result.code, detail: result.detail } };
      case "failed":
        return { index, platformId, status: "failed", error: { code: result.code, detail: result.error.message } };
    }
  });
  return { applied, results: responses };
}

/** `reversedBySeq`: the number of the entry that reversed this award, if there is one. */
export function entryResponse(entry: Entry, reversedBySeq?: number): EntryResponse {
  return {
    awardId: awardIdOf(entry),
    ...(entry.kind === undefined ? {} : { kind: entry.kind }),
    ...(entry.kind === "reversal" ? { reverses: reversedAwardId(entry.key) } : {}),
    ...(entry.kind === "reset" ? { resetId: entry.fingerprint } : {}),
    ...(reversedBySeq === undefined ? {} : { reversedBy: awardIdOf({ ...entry, seq: reversedBySeq }) }),
    at: entry.at.toISOString(),
    amount: entry.amount.toString(),
    applied: entry.applied.toString(),
    ...(entry.boost ? { boost: awardBoost(entry.boost) } : {}),
    limitedBy: limitOf(entry),
    xp: entry.xp.toString(),
    rank: entry.rank,
    ...(entry.reason === undefined ? {} : { reason: entry.reason }),
    ...(entry.source === undefined ? {} : { source: entry.source }),
    keyId: entry.apiKeyId,
    ...(entry.actor === undefined ? {} : { actor: entry.actor }),
    ...(entry.batchId === undefined ? {} : { batchId: entry.batchId }),
    membershipCreated: entry.membershipCreated,
  };
}

/** By platformId, what was asked for: names of members, and their positions. */
export type MemberExtras = {
  names?: ReadonlyMap<string, string> | undefined;
  positions?: ReadonlyMap<string, Position | null> | undefined;
};

export function memberResponse(member: Member, clan: Clan, { names, positions }: MemberExtras = {}): MemberResponse {
  const { rank, nextRank, xpToNextRank } = standingOf(clan, member);
  return {
    platformId: member.platformId,
    xp: member.xp.toString(),
    rank,
    membership: member.membership && { since: member.membership.since.toISOString() },
    nextRank,
    xpToNextRank: xpToNextRank?.toString() ?? null,
    lastAwardAt: member.lastAwardAt?.toISOString() ?? null,
    ...(names ? { name: names.get(member.platformId) ?? null } : {}),
    ...(positions ? { position: positions.get(member.platformId) ?? null } : {}),
  };
}

export function clanResponse({ clanId, name, autoClan, ranks }: Clan, totals?: Totals): ClanResponse {
  return {
    clanId,
    name,
    autoClan,
    ranks: rankResponses(ranks),
    ...(totals ? { totals: totalsResponse(totals) } : {}),
  };
}

export function boostResponse({ boostId, name, percent, from, to, ranks, placeIds }: Boost) {
  const times = { from: from.toISOString(), to: to.toISOString() };
  return { boostId, name, percent, ...times, ranks: [...ranks], placeIds: [...placeIds] };
}

/** For the people who manage it. */
export function storedBoostResponse(boost: StoredBoost) {
  const { createdAt, endedAt } = boost;
  return { ...boostResponse(boost), createdAt: createdAt.toISOString(), endedAt: endedAt?.toISOString() ?? null };
}

export function totalsResponse({ members, memberships, xp, asOf }: Totals): NonNullable<ClanResponse["totals"]> {
  return { members, memberships, xp: xp.toString(), asOf: asOf.toISOString() };
}

export function rankResponses(ranks: readonly Rank[]): ClanResponse["ranks"] {
  return ranks.map((rank) =>
    rank.kind === "NORMAL"
      ? { name: rank.name, kind: rank.kind, threshold: rank.threshold.toString() }
      : { name: rank.name, kind: rank.kind },
  );
}

/** A batch whose details were deleted by age has no results. */
export function batchResults(batch: Pick<Batch, "outcomes" | "appliedOnce">): BatchResponse {
  const results = batch.outcomes.map((outcome, index): BatchResult => {
    if (isRejected(outcome)) {
      return {
        index,
        platformId: outcome.platformId,
        status: "rejected",
        error: { code: outcome.code, detail: outcome.detail },
      };
    }
    return { index, platformId: outcome.platformId, status: "applied", xp: outcome.xp.toString(), rank: outcome.rank };
  });
  return { applied: appliedIn(batch), results };
}

export function batchState(batch: Batch): BatchState {
  return {
    batchId: batch.batchId,
    status: batch.state,
    ...batchResults(batch),
    createdAt: batch.createdAt.toISOString(),
    finishedAt: batch.finishedAt?.toISOString() ?? null,
  };
}

/** What a reversal would take back. */
export function reversalPreview({ awards, members, amount }: CountedAwards): ReversalPreview {
  return { awards, members, amount: amount.toString() };
}
type CountedAwards = { awards: number; members: number; amount: bigint };

/** A reversal that has just been submitted. */
export function reversalAccepted({ reversalId, state }: Pick<Reversal, "reversalId" | "state">): ReversalAccepted {
  return { reversalId, status: state };
}

export function reversalState(reversal: Reversal): ReversalState {
  const { reversalId, state, by, reason, selected, reversed, skipped, createdAt, finishedAt } = reversal;
  const counts = { selected, reversed, skipped };
  const times = { createdAt: createdAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null };
  return { reversalId, status: state, by, reason, ...counts, ...times };
}

/** A period as its readers see it; a board, and a member's place. */
type ShownPeriod = Omit<Period, "isFinal"> & { status: PeriodStatus; members: number };

export function periodResponse({ periodId, startsAt, endsAt, finalAt, status, members }: ShownPeriod): PeriodResponse {
  const times = { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), finalAt: finalAt.toISOString() };
  return { periodId, ...times, status, members };
}

export function boardResponse({
  boardId,
  name,
  schedule,
  settleMs,
  current,
}: Board & { current: ShownPeriod | null }): BoardResponse {
  const { every } = schedule;
  const { on, at, timeZone } = every === "season" ? { on: null, at: null, timeZone: null } : schedule;
  const settleHours = settleMs / 3_600_000;
  return { boardId, name, every, on, at, timeZone, settleHours, current: current && periodResponse(current) };
}

type PlacedStanding = { platformId: string; xp: bigint; position: number; reachedAt: Date };

export function standingResponse({ platformId, xp, position, reachedAt }: PlacedStanding): StandingResponse {
  return { platformId, xp: xp.toString(), position, reachedAt: reachedAt.toISOString() };
}
