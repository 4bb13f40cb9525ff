// What a key may award: at most so much at once, and so much in a UTC day, over all processes (docs/decisions/0027).
//
// Invariant: XP is counted before its award is committed, and given back once the award is known not to have been
// applied. So a process that crashes between the two leaves the budget too small, never too large.
import { AppError } from "#domain/app-error.ts";
import type { Principal } from "#domain/key.ts";
import { BUDGET_RACES_MAX } from "#usecases/bounds.ts";
import { budgetDay } from "#usecases/keys/budget-day.ts";
import type { BudgetStore } from "#usecases/keys/ports.ts";
import type { Clock } from "#usecases/ports.ts";

export type Claim = {
  /** Why each award is beyond the key's budget; null: it is within, and its XP is counted. */
  refusals: readonly (string | null)[];
  /** These awards were not applied by now, and will not be: their XP is counted no longer. Never throws. */
  giveBack(indexes: readonly number[]): Promise<void>;
};

/**
 * Null for a key without a budget. `amounts`: null for what is not to be counted. Throws AppError `unavailable`,
 * `busy`.
 */
export type ClaimBudget = (principal: Principal, amounts: readonly (number | null)[]) => Promise<Claim | null>;

export function makeClaimBudget({
  budgets,
  clock,
}: {
  budgets: Pick<BudgetStore, "spend" | "spentOf" | "giveBack">;
  clock: Clock;
}): ClaimBudget {
  return async function claimBudget({ keyId, limits: { amountMax, xpPerDay } }, amounts) {
    if (amountMax === null && xpPerDay === null) return null;
    const refusals = amounts.map((amount) =>
      amount !== null && amountMax !== null && Math.abs(amount) > amountMax ? tooLarge(amountMax) : null,
    );
    if (xpPerDay === null) return { refusals, giveBack: async () => {} };

    const day = budgetDay(clock.now());
    const wanted = amounts.map((amount, index) =>
      refusals[index] === null && amount !== null ? Math.max(amount, 0) : 0,
    );
    const claimed = await claimDay({ keyId, day, xpPerDay }, wanted);
    return {
      refusals: refusals.map((refusal, index) =>
        wanted[index] === claimed[index] ? refusal : daySpent(xpPerDay, day),
      ),
      async giveBack(indexes) {
        const sum = sumOf(indexes.map((index) => claimed[index] ?? 0));
        // Once each.
        for (const index of indexes) claimed[index] = 0;
        if (sum > 0) await budgets.giveBack({ keyId, day }, sum).catch(() => {});
      },
    };
  };

  /** What of each amount is within the day's budget: all of it or nothing, in order. */
  async function claimDay(
    { xpPerDay, ...budget }: { keyId: string; day: Date; xpPerDay: number },
    wanted: readonly number[],
  ): Promise<number[]> {
    let fitting = [...wanted];
    for (let races = 0; races < BUDGET_RACES_MAX; races += 1) {
      const sum = sumOf(fitting);
      if (sum === 0 || (await budgets.spend(budget, sum, xpPerDay))) return fitting;
      let left = xpPerDay - (await budgets.spentOf(budget));
      fitting = wanted.map((amount) => {
        if (amount > left) return 0;
        left -= amount;
        return amount;
      });
    }
    throw new AppError(
      "busy",
      "Too many awards of this API key arrive at once. Nothing was applied: try again shortly.",
    );
  }
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

const DAY_MS = 86_400_000;

function tooLarge(amountMax: number): string {
  return `The amounts of this API key are between -${amountMax} and ${amountMax}. Nothing was applied.`;
}

function daySpent(xpPerDay: number, day: Date): string {
  const renewsAt = new Date(day.getTime() + DAY_MS).toISOString();
  return `This API key can award ${xpPerDay} XP per UTC day, and this award exceeds it. Nothing was applied. The budget renews at ${renewsAt}.`;
}
