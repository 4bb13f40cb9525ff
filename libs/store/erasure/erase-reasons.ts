// Removes the reasons that name an erased member from entries of other members, which a reversal of several members
// wrote. An index over all reasons of reversals finds them, even if the reversal's record no longer exists.
//
// Invariant: only the reason of an entry changes, which does not affect XP.
import type { mongo } from "mongoose";
import { ENTRIES_PER_ERASURE } from "#store/bounds.ts";
import type { Database } from "#store/database.ts";
import type { EntryDoc } from "#store/ledger/entry-model.ts";
import { amongIds, BY_ID } from "#store/ledger/ledger-filters.ts";
import { namingText } from "#store/filters.ts";
import { makeWhileOpen } from "#store/erasure/while-open.ts";
import type { Erasure } from "#usecases/erasure/ports.ts";

/** Returns from how many entries the reason was removed. */
export type EraseReasons = (erasure: Erasure) => Promise<number>;

export function makeEraseReasons({ connection, db }: Pick<Database, "connection" | "db">): EraseReasons {
  const whileOpen = makeWhileOpen({ connection, db });
  return async function eraseReasons({ erasureId, clanId, platformId }) {
    const naming: mongo.Filter<EntryDoc> = {
      kind: "reversal",
      reason: namingText(platformId),
      "_id.platformId": { $ne: platformId },
      ...(clanId === null ? {} : { "_id.clanId": clanId }),
    };
    const ledger = db().collection<EntryDoc>("ledger");
    for (let total = 0; ;) {
      const erased = await whileOpen(erasureId, "reversals", async (session) => {
        const options = { session, projection: { _id: 1 }, limit: ENTRIES_PER_ERASURE, hint: { reason: 1 } } as const;
        const ids = (await ledger.find(naming, options).toArray()).map(({ _id }) => _id);
        if (ids.length === 0) return 0;
        await ledger.updateMany(amongIds(ids), { $unset: { reason: "" } }, { session, hint: BY_ID });
        return ids.length;
      });
      if (!erased) return total;
      total += erased;
    }
  };
}
