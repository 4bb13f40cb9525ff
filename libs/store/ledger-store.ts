// The ledger as it is read. Entries are written by the award store alone and never changed.
// Reads have majority concern: what they show cannot be rolled back by an election.
import type { Database } from "#store/database.ts";
import { entryOfDoc } from "#store/documents.ts";
import { readInTime } from "#store/failure.ts";
import type { EntryDoc } from "#store/models.ts";
import type { LedgerStore } from "#usecases/ports.ts";

export function makeLedgerStore({ db }: Pick<Database, "db">): LedgerStore {
  return {
    listOfMember({ clanId, platformId }, { limit, beforeSeq }) {
      return readInTime(async () => {
        // A range over the whole `_id`, so that its index serves filter and order alike. (mongoose casts no ranges of subdocuments.)
        const from = { clanId, platformId, seq: 0 };
        const below = { clanId, platformId, seq: beforeSeq ?? Number.MAX_SAFE_INTEGER };
        const docs = await db()
          .collection<EntryDoc>("ledger")
          .find({ _id: { $gt: from, $lt: below } }, { readConcern: { level: "majority" } })
          .sort({ _id: -1 })
          .limit(limit + 1)
          .toArray();
        const items = docs.slice(0, limit).map(entryOfDoc);
        return { items, next: docs.length > limit ? (items.at(-1)?.seq ?? null) : null };
      });
    },
  };
}
