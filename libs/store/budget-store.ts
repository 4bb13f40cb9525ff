// What each key awarded on each day: one document, changed by single conditional updates, so that no two processes spend the same XP.
import type { Database } from "#store/database.ts";
import type { BudgetDoc } from "#store/models.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import { isDuplicateKey } from "#store/mongo-errors.ts";
import type { BudgetStore, DayBudget } from "#usecases/keys/ports.ts";

export function makeBudgetStore({ db }: Pick<Database, "db">): BudgetStore {
  const budgets = () => db().collection<BudgetDoc>("budgets");

  return {
    async spend(budget, amount, xpPerDay) {
      if (amount > xpPerDay) return false;
      const hasRoom = { _id: idOf(budget), spent: { $lte: BigInt(xpPerDay - amount) } };
      const update = { $inc: { spent: BigInt(amount) }, $setOnInsert: { day: budget.day } };
      return rewrite(async () => {
        try {
          await budgets().updateOne(hasRoom, update, { upsert: true });
          return true;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          // It exists by now: without enough room, or because another process was first today.
          return (await budgets().updateOne(hasRoom, update)).matchedCount === 1;
        }
      });
    },

    spentOf: (budget) => read(async () => Number((await budgets().findOne({ _id: idOf(budget) }))?.spent ?? 0n)),

    async giveBack(budget, amount) {
      await rewrite(() => budgets().updateOne({ _id: idOf(budget) }, { $inc: { spent: BigInt(-amount) } }));
    },
  };
}

function idOf({ keyId, day }: DayBudget): string {
  return `${keyId}/${day.toISOString().slice(0, "2026-11-22".length)}`;
}
