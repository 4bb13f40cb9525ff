// Deletes the records of reversals that name a member. A reversal that still runs ends with its record; what it did is in the ledger.
import type { Database } from "#store/database.ts";
import { rewrite } from "#store/mongo-calls.ts";
import type { ReversalDoc } from "#store/reversal-model.ts";
import type { ErasureStep } from "#usecases/erasure/ports.ts";

export function makeEraseReversals({ db }: Pick<Database, "db">): ErasureStep {
  return {
    name: "reversals",
    erase: ({ clanId, platformId }) =>
      rewrite(async () => {
        const filter = { "selection.platformId": platformId, ...(clanId === null ? {} : { clanId }) };
        return (await db().collection<ReversalDoc>("reversals").deleteMany(filter)).deletedCount;
      }),
  };
}
