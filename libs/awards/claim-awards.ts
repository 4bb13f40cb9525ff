// Claims awards from the budget of their key or moderator. An award is counted once, however often it is tried. Awards
// that were applied before are looked up first, and the claim waits for an earlier attempt that may be in progress.
import { pause } from "#async/pause.ts";
import { isForeignAwardKey } from "#domain/award-key.ts";
import { AppError } from "#kernel/app-error.ts";
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import { memberIdOf } from "#domain/member-id.ts";
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import { BUDGET_REFUND_MS, BUDGET_POLL_MS, BUDGET_WAIT_MS } from "#keys/bounds.ts";
import type { FindReplays } from "#awards/find-replays.ts";
import { claimInTime } from "#keys/claim-in-time.ts";
import type { Budgeted, Claim, ClaimBudget, RequestedXp } from "#keys/key-budget.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Digest } from "#kernel/digest.ts";

/** Why an award is not applied now: `busy` if an earlier attempt of it may still be in progress. */
export type BudgetRejection = { code: "budget_exceeded" | "busy"; detail: string };

export type ClaimedAwards = {
  /** Awards that were applied before; they are not counted. */
  replays: ReadonlyMap<Award, Entry>;
  /** Null for an award that is within the budget. */
  rejections: readonly (BudgetRejection | null)[];
  /**
   * See Claim. If a call contains an award twice, its XP is refunded when both have been refunded. Never throws.
   */
  refund(indexes: readonly number[]): Promise<boolean>;
  /** See Claim; limited to the time that the commit has. Throws AppError `unavailable`, `busy`. */
  claimAgain(): Promise<number[]>;
  /** How long the commit may take, so that its request is answered within AWARD_DEADLINE_MS. */
  commitMs(): number;
};

/**
 * Null if there is no budget. `counted` says which awards count. Throws AppError `unavailable`, `busy`,
 * `outcome_unknown`; then nothing is counted.
 */
export type ClaimAwards = (
  budgeted: Budgeted,
  awards: readonly Award[],
  counted: (index: number) => boolean,
) => Promise<ClaimedAwards | null>;

const IN_PROGRESS = "An earlier request for this award is still in progress. Retry with the same Idempotency-Key.";

export function makeClaimAwards(deps: {
  claimBudget: ClaimBudget;
  findReplays: FindReplays;
  clock: Clock;
  digest: Digest;
  /** Amounts below 0 count, too, as if they were positive. */
  countsDeductions?: boolean;
}): ClaimAwards {
  const { claimBudget, findReplays, clock } = deps;
  const requestedXpOf = makeRequestedXp(deps);

  return async function claimAwards(budgeted, awards, counted) {
    const { amountMax, xpPerDay } = budgeted.limits;
    if (amountMax === null && xpPerDay === null) return null;
    const claiming = claimSettled(budgeted, awards, counted);
    return claimInTime(claiming, async (late) => late?.refund([...awards.keys()]));
  };

  /** Waits until the budget is not exceeded only because an earlier request counted the same awards. */
  async function claimSettled(
    budgeted: Budgeted,
    awards: readonly Award[],
    counted: (index: number) => boolean,
  ): Promise<ClaimedAwards | null> {
    const commitEndMs = clock.monotonicMs() + AWARD_DEADLINE_MS - BUDGET_REFUND_MS;
    const commitMs = (): number => Math.max(commitEndMs - clock.monotonicMs(), 0);
    const firstOf = firstTries(awards);
    const isFirst = (index: number): boolean => counted(index) && firstOf[index] === index;
    if (budgeted.limits.xpPerDay === null) {
      // Counts nothing; only the rejected awards remain to be looked up.
      const claim = await claimBudget(
        budgeted,
        awards.map((award, index) => (isFirst(index) ? requestedXpOf(award) : null)),
      );
      if (!claim) return null;
      const replays = await findReplays(awards.filter((_, index) => claim.rejections[firstOf[index] ?? index]));
      return claimedAwards(claim, { replays, firstOf, commitMs });
    }
    const endMs = clock.monotonicMs() + BUDGET_WAIT_MS;
    for (;;) {
      const isLate = clock.monotonicMs() >= endMs;
      const replays = await replaysOf(awards, isLate);
      if (replays) {
        const requested = awards.map((award, index) =>
          isFirst(index) && !replays.has(award) ? requestedXpOf(award) : null,
        );
        const claim = await claimBudget(budgeted, requested);
        if (!claim) return null;
        const isUnsettled = awards.some((_, index) => claim.isUnsettled(index));
        if (!isUnsettled || isLate) return claimedAwards(claim, { replays, firstOf, commitMs });
        await claim.refund([...awards.keys()]);
      }
      await pause(BUDGET_POLL_MS);
    }
  }

  /** Null if it is not known yet and there is time to ask again. */
  async function replaysOf(awards: readonly Award[], isLate: boolean): Promise<ReadonlyMap<Award, Entry> | null> {
    try {
      return await findReplays(awards);
    } catch (error) {
      if (isLate || !(error instanceof AppError) || error.code !== "outcome_unknown") throw error;
      return null;
    }
  }
}

function makeRequestedXp({ digest, countsDeductions = false }: { digest: Digest; countsDeductions?: boolean }) {
  return function requestedXpOf({ platformId, key, fingerprint, amount }: Award): RequestedXp {
    const id = isForeignAwardKey(key)
      ? digest(JSON.stringify([platformId, key, fingerprint])).slice(0, ID_CHARS)
      : null;
    return { amount: countsDeductions ? Math.abs(Number(amount)) : Number(amount), id };
  };
}

/** Characters of the digest: two different awards of one key and day collide with a probability of 2^-60. */
const ID_CHARS = 15;

/** For each award, the index of the first equal award in the call. */
function firstTries(awards: readonly Award[]): number[] {
  const firsts = new Map<string, number>();
  return awards.map((award, index) => {
    const name = JSON.stringify([memberIdOf(award), award.key, award.fingerprint]);
    const first = firsts.get(name) ?? index;
    firsts.set(name, first);
    return first;
  });
}

function claimedAwards(
  claim: Claim,
  {
    replays,
    firstOf,
    commitMs,
  }: { replays: ReadonlyMap<Award, Entry>; firstOf: readonly number[]; commitMs: () => number },
): ClaimedAwards {
  return {
    replays,
    commitMs,
    get rejections() {
      return firstOf.map((first): BudgetRejection | null => {
        const detail = claim.rejections[first];
        if (!detail) return null;
        return claim.isUnsettled(first) ? { code: "busy", detail: IN_PROGRESS } : { code: "budget_exceeded", detail };
      });
    },
    refund(indexes) {
      const refunded = new Set(indexes);
      const remaining = new Set(firstOf.filter((_, index) => !refunded.has(index)));
      return claim.refund(indexes.filter((index) => !remaining.has(index)));
    },
    async claimAgain() {
      const within = new Set(await claim.claimAgain({ withinMs: commitMs() }));
      return [...firstOf.keys()].filter((index) => within.has(firstOf[index] ?? index));
    },
  };
}
