// Finds the records that retention processes next: those that have been done for longest.
import type { mongo } from "mongoose";

type Done = { _id: string; state: string; finishedAt: Date | null };

/** `field`: a field that only unprocessed records have. An index contains those alone, by `finishedAt`. */
export async function oldestDone<Doc extends Done>(
  records: mongo.Collection<Doc>,
  field: keyof Doc & string,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const old = { state: "done", [field]: { $exists: true }, finishedAt: { $lt: before } } as mongo.Filter<Doc>;
  const found = records
    .find(old, { projection: { _id: 1 } })
    .sort({ finishedAt: 1 })
    .limit(limit);
  return (await found.toArray()).map(({ _id }) => _id);
}
