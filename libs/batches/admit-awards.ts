// Checks the awards of a batch before it is accepted: each is admitted, or rejected with its reason.
import { rejectionDetail } from "#awards/rejection-detail.ts";
import { amountFault, lacksDeduct, LACKS_DEDUCT } from "#domain/amount-rules.ts";
import { batchAwardKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import { isRejected, type BatchAward, type RejectedAward } from "#domain/batch.ts";
import type { Principal } from "#domain/key.ts";
import { memberIdOf } from "#domain/member-id.ts";
import type { LedgerStore } from "#ledger/ports.ts";
import { clanOf, type ClanRules } from "#clans/clan-rules.ts";
import { refundOnFailure } from "#keys/refund-on-failure.ts";
import type { Claim, ClaimBudget } from "#keys/key-budget.ts";

/**
 * An entry as it was sent: valid, or rejected with the parts that could be read. `sent` is its meaning, for
 * comparisons.
 */
export type SentAward = { sent: string; award: { platformId: string; amount: number } | RejectedAward };

/**
 * `keyedId`: the id of a batch with an Idempotency-Key. Its awards may have been applied before although its record is
 * unknown.
 */
export type AdmitAwards = (
  principal: Principal,
  awards: readonly SentAward[],
  keyedId: string | null,
) => Promise<Admitted>;

/** `isUnsettled`: an award exceeds the budget, perhaps because of an earlier request for the same batch. */
export type Admitted = { awards: BatchAward[]; claim: Claim | null; isUnsettled: boolean };

export function makeAdmitAwards({
  rules,
  claimBudget,
  members,
}: {
  rules: ClanRules;
  claimBudget: ClaimBudget;
  members: Pick<LedgerStore, "readHeads" | "readEntries">;
}): AdmitAwards {
  return async function admitAwards(principal, awards, keyedId) {
    const clan = await clanOf(rules, principal.clanId);
    const admitted = awards.map(({ award }): BatchAward => {
      if (isRejected(award)) return award;
      const { platformId, amount } = award;
      const outOfBounds = amountFault(amount, clan);
      if (outOfBounds) return { platformId, code: "invalid_request", detail: outOfBounds };
      if (lacksDeduct(amount, principal.scopes)) return { platformId, code: "scope_missing", detail: LACKS_DEDUCT };
      return { platformId, amount: BigInt(amount) };
    });
    const claim = await claimBudget(
      principal,
      admitted.map((award) => (isRejected(award) ? null : { amount: Number(award.amount), id: keyedId })),
    );

    return refundOnFailure(claim, async () => {
      const nonMembers = clan.autoClan ? new Set() : await nonMembersAmong(members, principal.clanId, admitted);
      // Awards to players without a membership are rejected, so they do not use up the budget of other awards.
      const isBudgetFreed = await claim?.refund([...admitted.keys()].filter((index) => nonMembers.has(index)));
      if (isBudgetFreed) await claim?.claimAgain({ isIncluded: (index) => !nonMembers.has(index) });
      const decided = admitted.map((award, index): BatchAward => {
        const { platformId } = award;
        const detail = claim?.rejections[index];
        const isNonMember = nonMembers.has(index);
        const isWithinBudget = !detail || (isNonMember && isBudgetFreed && claim?.isBeyondDay(index));
        if (!isWithinBudget) return { platformId, code: "budget_exceeded", detail };
        return isNonMember ? { platformId, code: "member_not_found", detail: rejectionDetail.member_not_found } : award;
      });
      const readmitted =
        keyedId === null ? decided : await readmitApplied(members, principal, { awards, decided, keyedId });
      const isUnsettled = readmitted.some((award, index) => isRejected(award) && claim?.isUnsettled(index));
      return { awards: readmitted, claim, isUnsettled };
    });
  };
}

/** Looks keys up only if an award would be rejected by rules that may have changed since it was applied. */
async function readmitApplied(
  members: Pick<LedgerStore, "readEntries">,
  { clanId, keyId }: Principal,
  { awards, decided, keyedId }: { awards: readonly SentAward[]; decided: readonly BatchAward[]; keyedId: string },
): Promise<BatchAward[]> {
  const inDoubt = awards.map(({ award }, index): Award | null => {
    const rejected = decided[index];
    if (!rejected || !isRejected(rejected) || isRejected(award)) return null;
    const key = batchAwardKey(keyedId, index);
    return {
      ...award,
      clanId,
      key,
      fingerprint: "",
      amount: BigInt(award.amount),
      apiKeyId: keyId,
      batchId: keyedId,
    };
  });
  const requested = inDoubt.filter((award) => award !== null);
  if (requested.length === 0) return [...decided];
  const entries = await members.readEntries(requested);
  return decided.map((verdict, index) => {
    const award = inDoubt[index];
    if (!award || !entries.get(memberIdOf(award))?.has(award.key)) return verdict;
    return { platformId: award.platformId, amount: award.amount };
  });
}

/** The awards to players without a membership. */
async function nonMembersAmong(
  members: Pick<LedgerStore, "readHeads">,
  clanId: string,
  awards: readonly BatchAward[],
): Promise<ReadonlySet<number>> {
  const requested = awards.flatMap((award) => (isRejected(award) ? [] : [{ clanId, platformId: award.platformId }]));
  const heads = await members.readHeads(requested);
  const isNonMember = (award: BatchAward): boolean =>
    !isRejected(award) && !heads.get(memberIdOf({ clanId, platformId: award.platformId }))?.membership;
  return new Set(awards.flatMap((award, index) => (isNonMember(award) ? [index] : [])));
}
