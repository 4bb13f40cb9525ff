// The budget of a key or of a moderator: the largest amount of one award, and a sum per UTC day, over all processes
// (docs/decisions/0027).
//
// Invariant: XP is counted before its award is committed, and refunded once the award is known not to have been
// applied. A process that crashes in between leaves the budget too small, never too large.
import { withTimeout } from "#async/with-timeout.ts";
import { AppError } from "#kernel/app-error.ts";
import type { KeyLimits } from "#domain/key-limits.ts";
import { BUDGET_CLAIM_OPEN_MS, BUDGET_REFUND_MS, BUDGET_RACES_MAX } from "#keys/bounds.ts";
import { budgetDay } from "#keys/budget-day.ts";
import { claimInTime } from "#keys/claim-in-time.ts";
import type { BudgetStore, DayBudget } from "#keys/ports.ts";
import type { Clock } from "#kernel/clock.ts";

/** `keyId`: names the budget, whose owner need not be a key. */
export type Budgeted = { keyId: string; limits: Pick<KeyLimits, "amountMax" | "xpPerDay"> };

/** Why an award exceeds a budget. `left`: the rest of the day's. */
export type BudgetTexts = {
  tooLarge(amountMax: number): string;
  daySpent(day: { xpPerDay: number; left: number; renewsAt: Date }): string;
};

/** `id`: equal for each attempt of the same award or batch; null if it cannot be tried again. */
export type RequestedXp = { amount: number; id: string | null };

export type Claim = {
  /** Why each award exceeds the budget; null if it is within, and its XP is counted. */
  rejections: readonly (string | null)[];
  isBeyondDay(index: number): boolean;
  /** An award exceeds the day's budget, perhaps because an earlier attempt has counted its XP. */
  isUnsettled(index: number): boolean;
  /**
   * These awards were not applied and will not be: their XP is no longer counted. Returns whether it was. Never throws.
   * Continues in the background if MongoDB takes longer than BUDGET_REFUND_MS.
   */
  refund(indexes: readonly number[]): Promise<boolean>;
  /**
   * After XP was refunded, claims again those awards that exceeded the budget of the day and that `isIncluded` accepts.
   * Returns the awards that are within the budget now. Throws AppError `unavailable`, `busy`.
   */
  claimAgain(options?: { isIncluded?: (index: number) => boolean; withinMs?: number }): Promise<number[]>;
};

/**
 * Null if there is no budget. `requested`: null for awards that must not be counted. Throws AppError `unavailable`,
 * `busy`.
 */
export type ClaimBudget = (budgeted: Budgeted, requested: readonly (RequestedXp | null)[]) => Promise<Claim | null>;

/** `texts`: by default, of the budget of an API key. */
type Deps = {
  budgets: Pick<BudgetStore, "spend" | "read" | "refund">;
  clock: Clock;
  newClaimId: () => string;
  texts?: BudgetTexts;
};

export function makeClaimBudget({ budgets, clock, newClaimId, texts = textsOfKeys }: Deps): ClaimBudget {
  return async function claimBudget({ keyId, limits: { amountMax, xpPerDay } }, requested) {
    if (amountMax === null && xpPerDay === null) return null;
    const rejections = requested.map((award) =>
      award !== null && amountMax !== null && Math.abs(award.amount) > amountMax ? texts.tooLarge(amountMax) : null,
    );
    if (xpPerDay === null) return { rejections, ...NO_DAY };

    const budget = { keyId, day: budgetDay(clock.now()) };
    const claimId = newClaimId();
    const amounts = requested.map((award, index) => (rejections[index] ? 0 : Math.max(award?.amount ?? 0, 0)));
    const counted = new Set<number>();
    const unsettled = new Set<number>();

    const refund = async (indexes: readonly number[]): Promise<boolean> => {
      // Once each.
      const refunded = indexes.filter((index) => counted.delete(index));
      const excluded = new Set(idsAmong(requested, [...counted]));
      const ids = idsAmong(requested, refunded).filter((id) => !excluded.has(id));
      const amount = sumOf(refunded.map((index) => amounts[index] ?? 0));
      if (refunded.length > 0)
        await withTimeout(budgets.refund(budget, { claimId, amount, ids }), BUDGET_REFUND_MS, "refunded").catch(
          () => {},
        );
      return refunded.length > 0;
    };

    /** Claims those, and returns which of them are within the budget. */
    const claimAll = async (indexes: readonly number[], withinMs?: number): Promise<number[]> => {
      const fitting = fitIn({ budgets, clock, budget, claimId, perDay: xpPerDay, requested, unsettled }, indexes);
      const { within, left } = await claimInTime(
        fitting,
        ({ within: late }) => {
          for (const index of late) counted.add(index);
          return refund(late);
        },
        withinMs,
      );
      const renewsAt = new Date(budget.day.getTime() + DAY_MS);
      for (const index of indexes) rejections[index] = texts.daySpent({ xpPerDay, left, renewsAt });
      for (const index of within) {
        rejections[index] = null;
        counted.add(index);
      }
      return within;
    };

    const isBeyondDay = (index: number): boolean => rejections[index] !== null && (amounts[index] ?? 0) > 0;
    await claimAll([...amounts.keys()].filter((index) => (amounts[index] ?? 0) > 0));
    return {
      rejections,
      isBeyondDay,
      isUnsettled: (index) => isBeyondDay(index) && unsettled.has(index),
      refund,
      async claimAgain({ isIncluded = () => true, withinMs } = {}) {
        const beyond = [...amounts.keys()].filter((index) => isBeyondDay(index) && isIncluded(index));
        return beyond.length === 0 ? [] : claimAll(beyond, withinMs);
      },
    };
  };
}

/** Without a budget per day nothing is counted. */
const NO_DAY: Omit<Claim, "rejections"> = {
  isBeyondDay: () => false,
  isUnsettled: () => false,
  refund: async () => false,
  claimAgain: async () => [],
};

type Day = {
  budgets: Pick<BudgetStore, "spend" | "read">;
  clock: Clock;
  budget: DayBudget;
  claimId: string;
  perDay: number;
  requested: readonly (RequestedXp | null)[];
  /** Returns those whose own earlier attempt may have used up the budget. */
  unsettled: Set<number>;
};

/**
 * Counts which of these awards above 0 are within the day's budget, in order, and returns what is left of it for the
 * others. Each amount is counted completely or not at all.
 */
async function fitIn(
  { budgets, clock, budget, claimId, perDay, requested, unsettled }: Day,
  indexes: readonly number[],
): Promise<{ within: number[]; left: number }> {
  const amountOf = (index: number): number => requested[index]?.amount ?? 0;
  let fitting = [...indexes];
  let left = perDay;
  for (let races = 0; races < BUDGET_RACES_MAX; races += 1) {
    const claim = { claimId, amount: sumOf(fitting.map(amountOf)), ids: idsAmong(requested, fitting) };
    if (claim.amount === 0 || (await budgets.spend(budget, { ...claim, at: clock.now() }, perDay)))
      return { within: fitting, left };
    const since = new Date(clock.now().getTime() - BUDGET_CLAIM_OPEN_MS);
    const { spent, claimed } = await budgets.read(budget, { than: claimId, since });
    left = perDay - spent;
    fitting = indexes.filter((index) => {
      if (amountOf(index) > left) {
        if (claimed.has(requested[index]?.id ?? "")) unsettled.add(index);
        return false;
      }
      left -= amountOf(index);
      return true;
    });
  }
  throw new AppError(
    "busy",
    "Too many awards are in progress at the same time. Nothing was applied: try again shortly.",
  );
}

function idsAmong(requested: readonly (RequestedXp | null)[], indexes: readonly number[]): string[] {
  return [...new Set(indexes.flatMap((index) => requested[index]?.id ?? []))];
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

const DAY_MS = 86_400_000;

const textsOfKeys: BudgetTexts = {
  tooLarge: (amountMax) =>
    `The amounts of this API key are between -${amountMax} and ${amountMax}. Nothing was applied.`,
  daySpent: ({ xpPerDay, renewsAt }) =>
    `This API key can award ${xpPerDay} XP per UTC day, and this award exceeds it. Nothing was applied. The budget renews at ${renewsAt.toISOString()}.`,
};
