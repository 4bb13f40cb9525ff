// What a moderator may give and take, as a budget like those of API keys.
import { moderatorBudgetId, type ModeratorBounds } from "#domain/moderator.ts";
import type { Budgeted, BudgetTexts } from "#keys/key-budget.ts";

export function moderatorBudget(
  { clanId, name }: { clanId: string; name: string },
  { xpPerAward, xpPerDay }: ModeratorBounds,
): Budgeted {
  return { keyId: moderatorBudgetId(clanId, name), limits: { amountMax: xpPerAward, xpPerDay } };
}

export const moderatorTexts: BudgetTexts = {
  tooLarge: (amountMax) =>
    `Moderators of this clan may give or take at most ${numberText(amountMax)} XP at a time. Nothing was changed.`,
  daySpent: ({ xpPerDay, left }) =>
    `Moderators of this clan may give and take ${numberText(xpPerDay)} XP per day, and you have ${numberText(Math.max(left, 0))} XP left until 00:00 UTC. Nothing was changed.`,
};

function numberText(value: number): string {
  return value.toLocaleString("en");
}
