// Removes the reasons that name an erased member from entries of other members, which a reversal of several members
// or a reset wrote. Indexes over all reasons of both find them, even if the record no longer exists.
//
// Invariant: only the reason of an entry changes, which does not affect XP.
import type { Filter } from "mongodb";
import { ENTRIES_PER_ERASURE } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import type { EntryDoc } from "#ledger/store/entry-model.ts";
import { amongIds, BY_ID } from "#ledger/store/ledger-filters.ts";
import { namingText } from "#mongo/filters.ts";
import { makeWhileOpen } from "#erasure/store/while-open.ts";
import type { Erasure } from "#erasure/ports.ts";

/** Returns from how many entries the reason was removed. */
export type EraseReasons = (erasure: Erasure) => Promise<number>;

const INDEXES = { reversal: { reason: 1 }, reset: { kind: 1, reason: 1 } } as const;

export function makeEraseReasons({ db }: Pick<Database, "db">): EraseReasons {
  const whileOpen = makeWhileOpen({ db });

  async function eraseFrom(kind: keyof typeof INDEXES, { erasureId, clanId, platformId }: Erasure): Promise<number> {
    const naming: Filter<EntryDoc> = {
      kind,
      reason: namingText(platformId),
      "_id.platformId": { $ne: platformId },
      ...(clanId === null ? {} : { "_id.clanId": clanId }),
    };
    const ledger = db().collection<EntryDoc>("ledger");
    for (let total = 0; ;) {
      const erased = await whileOpen(erasureId, "reversals", async (session) => {
        const options = { session, projection: { _id: 1 }, limit: ENTRIES_PER_ERASURE, hint: INDEXES[kind] } as const;
        const ids = (await ledger.find(naming, options).toArray()).map(({ _id }) => _id);
        if (ids.length === 0) return 0;
        await ledger.updateMany(amongIds(ids), { $unset: { reason: "" } }, { session, hint: BY_ID });
        return ids.length;
      });
      if (!erased) return total;
      total += erased;
    }
  }

  return async (erasure) => (await eraseFrom("reversal", erasure)) + (await eraseFrom("reset", erasure));
}
