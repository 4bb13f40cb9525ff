// What each key, and each moderator, has awarded on each day: one document, changed by single conditional updates, so
// that no two processes spend the same XP.
import type { Database } from "#mongo/database.ts";
import type { BudgetDoc } from "#keys/store/budget-model.ts";
import { ANSWER_MS_MAX, BUDGET_CLAIMS_MAX } from "#mongo/bounds.ts";
import { read, rewrite } from "#mongo/mongo-calls.ts";
import { isDuplicateKey } from "#mongo/mongo-errors.ts";
import type { BudgetStore, DayBudget, UsedBudget } from "#keys/ports.ts";

export function makeBudgetStore({ db }: Pick<Database, "db">): BudgetStore {
  const budgets = () => db().collection<BudgetDoc>("budgets");

  const find = (budget: DayBudget) => read(() => budgets().findOne({ _id: idOf(budget) }));

  return {
    async spend(budget, { claimId, amount, ids, at }, xpPerDay) {
      if (amount > xpPerDay) return false;
      const isWithinBudget = { _id: idOf(budget), spent: { $lte: BigInt(xpPerDay - amount) } };
      const claims = { $each: ids.map((id) => ({ id, at, claimId })), $slice: -BUDGET_CLAIMS_MAX };
      const update = {
        $inc: { spent: BigInt(amount) },
        $setOnInsert: { day: budget.day },
        ...(ids.length > 0 ? { $push: { claims } } : {}),
      };
      return rewrite(async () => {
        try {
          await budgets().updateOne(isWithinBudget, update, { upsert: true });
          return true;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          // The document exists by now: either the budget has not enough room, or another process created the document
          // first.
          return (await budgets().updateOne(isWithinBudget, update)).matchedCount === 1;
        }
      });
    },

    spentOf: async (budget) => Number((await find(budget))?.spent ?? 0n),

    async read(budget, { than, since }) {
      const doc = await find(budget);
      const claims = doc?.claims?.filter(({ at, claimId }) => claimId !== than && at > since) ?? [];
      return { spent: Number(doc?.spent ?? 0n), claimed: new Set(claims.map(({ id }) => id)) };
    },

    mostUsed: (day, limit) =>
      read(() => {
        const perDay = { $first: "$key.limits.xpPerDay" };
        const stages = [
          { $match: { day } },
          { $set: { keyId: { $first: { $split: ["$_id", "/"] } } } },
          { $lookup: { from: "keys", localField: "keyId", foreignField: "_id", as: "key" } },
          { $set: { perDay } },
          // A budget that was removed meanwhile does not count.
          { $match: { perDay: { $gt: 0 } } },
          {
            $project: {
              _id: 0,
              keyId: 1,
              clanId: { $first: "$key.clanId" },
              used: { $divide: [{ $toDouble: "$spent" }, "$perDay"] },
            },
          },
          { $sort: { used: -1, keyId: 1 } },
          { $limit: limit },
        ];
        return budgets().aggregate<UsedBudget>(stages, { maxTimeMS: ANSWER_MS_MAX }).toArray();
      }),

    async refund(budget, { claimId, amount, ids }) {
      const update = {
        $inc: { spent: BigInt(-amount) },
        ...(ids.length > 0 ? { $pull: { claims: { id: { $in: [...ids] }, claimId: { $eq: claimId } } } } : {}),
      };
      await rewrite(() => budgets().updateOne({ _id: idOf(budget) }, update));
    },
  };
}

function idOf({ keyId, day }: DayBudget): string {
  return `${keyId}/${day.toISOString().slice(0, "2026-11-22".length)}`;
}
