// Claims of several requests for the same award, against MongoDB.
import { expect, test } from "vitest";
import { systemClock } from "#process/clock.ts";
import { makeBudgetStore } from "#keys/store/budget-store.ts";
import { budgetDay } from "#keys/budget-day.ts";
import { makeClaimBudget } from "#keys/key-budget.ts";
import { useWorld } from "../../support/use-api.ts";

const world = await useWorld();

test("a retry that gives back what it counted of a batch does not release the claim of the first request", async () => {
  let claims = 0;
  // All claims are of one UTC day.
  const now = new Date();
  const budgets = makeBudgetStore(world.database);
  const claimBudget = makeClaimBudget({
    budgets,
    clock: { ...systemClock, now: () => now },
    newClaimId: () => String((claims += 1)),
  });
  const limits = { requestsPerSecond: null, awardsPerSecond: null, amountMax: null, xpPerDay: 100 };
  const principal = { keyId: "key", clanId: "c", scopes: ["award"] as const, limits };
  const batch = [10, 60].map((amount) => ({ amount, id: "batch" }));

  const first = await claimBudget(principal, batch);
  expect(first?.rejections).toStrictEqual([null, null]);
  for (let retries = 0; retries < 3; retries += 1) {
    const retry = await claimBudget(principal, batch);
    expect([retry?.isUnsettled(0), retry?.isUnsettled(1)]).toStrictEqual([false, true]);
    await retry?.refund([0, 1]);
  }
  await first?.refund([0, 1]);
  // A refund that takes long goes on in the background.
  await expect.poll(() => budgets.spentOf({ keyId: "key", day: budgetDay(now) })).toBe(0);
  expect((await claimBudget(principal, batch))?.rejections).toStrictEqual([null, null]);
});
