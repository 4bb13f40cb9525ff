// Finds entries of one member under one key. The ledger's unique index prevents them, so they can exist, and are
// searched for, only while it is missing: for example, because something else has dropped it.
import { BY_KEY, type EntryDoc } from "#ledger/store/entry-model.ts";
import { existingIndexes } from "#mongo/index-conflicts.ts";
import type { Database } from "#mongo/database.ts";
import { MAJORITY } from "#mongo/mongo-calls.ts";
import type { RepeatedKey } from "#operations/ports.ts";

/** `maxTimeMS` 0: without a limit. Throws MongoDB's errors. */
export async function findRepeatedKeys(
  { db }: Pick<Database, "db">,
  { clanId, limit, maxTimeMS }: { clanId: string | null; limit: number; maxTimeMS: number },
): Promise<RepeatedKey[]> {
  const ledger = db().collection<EntryDoc>("ledger");
  const isUnique = (await existingIndexes(ledger)).some(
    ({ key, unique, partialFilterExpression }) =>
      unique === true && partialFilterExpression === undefined && JSON.stringify(key) === JSON.stringify(BY_KEY),
  );
  if (isUnique) return [];
  const groups = ledger.aggregate<{ _id: { clanId: string; platformId: string }; seqs: number[] }>(
    [
      ...(clanId === null ? [] : [{ $match: { "_id.clanId": clanId } }]),
      {
        $group: {
          _id: { clanId: "$_id.clanId", platformId: "$_id.platformId", key: "$key" },
          seqs: { $push: "$_id.seq" },
          entries: { $sum: 1 },
        },
      },
      { $match: { entries: { $gt: 1 } } },
      { $sort: { _id: 1 } },
      { $limit: limit },
    ],
    { allowDiskUse: true, ...MAJORITY, ...(maxTimeMS > 0 ? { maxTimeMS } : {}) },
  );
  return (await groups.toArray()).map(({ _id: { clanId: clan, platformId }, seqs }) => ({
    clanId: clan,
    platformId,
    seqs: seqs.toSorted((a, b) => a - b),
  }));
}
