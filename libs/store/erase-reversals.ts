// Deletes the records of reversals that name a member. A reversal that still runs ends with its record; what it did is
// in the ledger.
import type { Database } from "#store/database.ts";
import type { ReversalDoc } from "#store/reversal-model.ts";
import { makeWhileOpen } from "#store/while-open.ts";
import type { ErasureStep } from "#usecases/erasure/ports.ts";

export function makeEraseReversals(database: Pick<Database, "connection" | "db">): ErasureStep {
  const whileOpen = makeWhileOpen(database);
  return {
    name: "reversals",
    async erase({ erasureId, clanId, platformId }) {
      const filter = { "selection.platformId": platformId, ...(clanId === null ? {} : { clanId }) };
      const reversals = () => database.db().collection<ReversalDoc>("reversals");
      const deleted = await whileOpen(erasureId, (session) => reversals().deleteMany(filter, { session }));
      return deleted?.deletedCount ?? 0;
    },
  };
}
