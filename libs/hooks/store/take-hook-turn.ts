// Counts the requests of a hook that erase somebody, those of the last hour by MongoDB's clock.
import { ERASURES_PER_HOUR_MAX } from "#domain/erasure-hook.ts";
import type { Database } from "#mongo/database.ts";
import type { HookDoc } from "#hooks/store/hook-model.ts";
import { rewrite } from "#mongo/mongo-calls.ts";
import type { TakeHookTurn } from "#hooks/ports.ts";

const HOUR_MS = 3_600_000;

export function makeTakeHookTurn({ db }: Pick<Database, "db">): TakeHookTurn {
  const hooks = () => db().collection<HookDoc>("hooks");
  return (hookId, requestId) =>
    rewrite(async () => {
      const own = { requestId: { $literal: requestId }, at: "$$NOW" };
      const isRecent = { $gt: ["$$turn.at", { $subtract: ["$$NOW", HOUR_MS] }] };
      const recent = { $filter: { input: { $ifNull: ["$turns", []] }, as: "turn", cond: isRecent } };
      const isCounted = { $in: [{ $literal: requestId }, "$turns.requestId"] };
      const isOver = { $gte: [{ $size: "$turns" }, ERASURES_PER_HOUR_MAX] };
      const turns = { $cond: [{ $or: [isCounted, isOver] }, "$turns", { $concatArrays: ["$turns", [own]] }] };
      const counted = [{ $set: { turns: recent } }, { $set: { turns } }];
      const options = { returnDocument: "after", projection: { turns: 1 } } as const;
      const doc = await hooks().findOneAndUpdate({ _id: hookId }, counted, options);
      return doc?.turns?.some((turn) => turn.requestId === requestId) ?? false;
    });
}
