// Finds the records that retention processes next: those that have been done for longest, by MongoDB's clock, which
// also set the time at which each was done.
import type { Database } from "#mongo/database.ts";
import { mongoTimeAgo } from "#mongo/mongo-time.ts";

type Done = { _id: string; state: string; finishedAt: Date | null };

/**
 * `field`: a field that only unprocessed records have. An index contains those alone, by `finishedAt`. `among`: only
 * these records.
 */
export async function oldestDone(
  { db }: Pick<Database, "db">,
  collection: string,
  field: string,
  { olderThanMs, limit }: { olderThanMs: number; limit: number },
  among: object = {},
): Promise<string[]> {
  const finishedAt = { $lt: await mongoTimeAgo({ db }, olderThanMs) };
  const old = { ...among, state: "done", [field]: { $exists: true }, finishedAt };
  const found = db()
    .collection<Done>(collection)
    .find(old, { projection: { _id: 1 } })
    .sort({ finishedAt: 1 })
    .limit(limit);
  return (await found.toArray()).map(({ _id }) => _id);
}
