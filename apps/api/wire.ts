// The domain's values as they stand in answers: bigint and Date become text.
import type { Entry } from "#domain/award.ts";
import type { Clan } from "#domain/clan.ts";
import { standingOf } from "#domain/member.ts";
import type { AwardAnswer } from "#contract/award.ts";
import type { AwardsAnswer, AwardsResult } from "#contract/awards.ts";
import type { ClanAnswer } from "#contract/clan.ts";
import type { EntryAnswer } from "#contract/ledger.ts";
import type { MemberAnswer } from "#contract/member.ts";
import { digest } from "#runtime/secrets.ts";
import { rankAnswers } from "#usecases/answers.ts";
import type { AwardResult } from "#usecases/apply-awards.ts";
import type { Member } from "#usecases/ports.ts";

/** An entry's public name: it follows from (clan, member, seq), so the ledger need not keep it. */
function awardIdOf({ clanId, platformId, seq }: Entry): string {
  return `awd_${digest(`${clanId}/${platformId}/${seq}`).slice(0, 24)}`;
}

export function awardAnswer(entry: Entry, withChange: boolean): AwardAnswer {
  const { platformId, rank } = entry;
  const answer = { platformId, xp: entry.xp.toString(), rank };
  if (!withChange) return answer;
  return {
    ...answer,
    change: {
      awardId: awardIdOf(entry),
      amount: entry.amount.toString(),
      applied: entry.applied.toString(),
      previousXp: (entry.xp - entry.applied).toString(),
      previousRank: entry.previousRank,
      rankChanged: entry.rank !== entry.previousRank,
      membershipCreated: entry.membershipCreated,
      nextRank: entry.nextRank,
      xpToNextRank: entry.xpToNextRank?.toString() ?? null,
    },
  };
}

/** `results[index]` is what became of `awards[index]`. */
export function awardsAnswer(
  awards: readonly { platformId: string }[],
  results: readonly AwardResult[],
  withChange: boolean,
): AwardsAnswer {
  let applied = 0;
  const answers = results.map((result, index): AwardsResult => {
    const platformId = awards[index]?.platformId ?? "";
    switch (result.kind) {
      case "applied":
      case "replayed":
        applied += 1;
        return { index, status: result.kind, ...awardAnswer(result.entry, withChange) };
      case "rejected":
        return { index, platformId, status: "rejected", error: { code: result.code, detail: result.detail } };
      case "failed":
        return { index, platformId, status: "failed", error: { code: result.code, detail: result.error.message } };
    }
  });
  return { applied, results: answers };
}

export function entryAnswer(entry: Entry): EntryAnswer {
  return {
    awardId: awardIdOf(entry),
    ...(entry.kind === undefined ? {} : { kind: entry.kind }),
    at: entry.at.toISOString(),
    amount: entry.amount.toString(),
    applied: entry.applied.toString(),
    xp: entry.xp.toString(),
    rank: entry.rank,
    ...(entry.reason === undefined ? {} : { reason: entry.reason }),
    ...(entry.source === undefined ? {} : { source: entry.source }),
    keyId: entry.apiKeyId,
    ...(entry.batchId === undefined ? {} : { batchId: entry.batchId }),
    membershipCreated: entry.membershipCreated,
  };
}

export function memberAnswer(member: Member, clan: Clan): MemberAnswer {
  const { rank, nextRank, xpToNextRank } = standingOf(clan, member);
  return {
    platformId: member.platformId,
    xp: member.xp.toString(),
    rank,
    membership: member.membership && { since: member.membership.since.toISOString() },
    nextRank,
    xpToNextRank: xpToNextRank?.toString() ?? null,
  };
}

export function clanAnswer({ clanId, name, autoClan, ranks }: Clan): ClanAnswer {
  return {
    clanId,
    name,
    autoClan,
    ranks: rankAnswers(ranks),
  };
}
