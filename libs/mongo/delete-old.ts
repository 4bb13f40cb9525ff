// Deletes the documents that ended longest ago, by MongoDB's clock, which also set that time.
import type { Document, Filter } from "mongodb";
import type { Database } from "#mongo/database.ts";
import { rewrite } from "#mongo/mongo-calls.ts";
import { mongoTimeAgo } from "#mongo/mongo-time.ts";

/** `field`: when it ended. Returns how many were deleted; the others are left for the next call. */
export function deleteOld(
  { db }: Pick<Database, "db">,
  collection: string,
  field: string,
  { olderThanMs, limit }: { olderThanMs: number; limit: number },
): Promise<number> {
  return rewrite(async () => {
    const docs = db().collection(collection);
    const old: Filter<Document> = { [field]: { $lt: await mongoTimeAgo({ db }, olderThanMs) } };
    const found = await docs.find(old, { projection: { _id: 1 }, sort: { [field]: 1 }, limit }).toArray();
    // Unless one was begun again meanwhile.
    if (found.length > 0) await docs.deleteMany({ ...old, _id: { $in: found.map(({ _id }) => _id) } });
    return found.length;
  });
}
