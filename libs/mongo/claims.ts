// Claims of work that a process has left. A document of such work has the times at which a process last worked on it or
// claimed it, and only MongoDB's clock determines whether they are old: the clocks of the processes do not matter.
import type { Collection, Document, Filter, WithId } from "mongodb";
import { MAJORITY } from "#mongo/mongo-calls.ts";
import { ageOf } from "#mongo/mongo-time.ts";

type Aged = { _id: string; by?: string; times: (Date | null)[]; agesMs: (bigint | null)[] };

/** An update: a process works on it now. */
export const ALIVE = [{ $set: { aliveAt: "$$NOW" } }];

/**
 * Claims the first of these documents, by `order`, of which each of these times is longer ago than so many milliseconds,
 * or absent. `holder`: its own claim is no obstacle.
 */
export async function claimSilent<Doc extends { _id: string }>(
  collection: Collection<Doc>,
  among: Filter<Doc>,
  {
    agesMs: limits,
    order,
    claim = ALIVE,
    holder,
  }: { agesMs: Readonly<Record<string, number>>; order: string; claim?: Document[]; holder?: string },
): Promise<WithId<Doc> | null> {
  const fields = Object.keys(limits);
  const projection = { by: "$claim.by", times: fields.map((field) => `$${field}`), agesMs: fields.map(ageOf) };
  const docs = await collection
    .find<Aged>(among, { ...MAJORITY, projection })
    .sort({ [order]: 1 })
    .toArray();
  for (const { _id, by, times, agesMs } of docs) {
    const isOwn = (field: string): boolean => field.startsWith("claim.") && by !== undefined && by === holder;
    const isOld = (field: string, index: number): boolean => (agesMs[index] ?? Infinity) > (limits[field] ?? 0);
    if (!fields.every((field, index) => isOwn(field) || isOld(field, index))) continue;
    // Unless it showed a sign of life, or another process was faster.
    const unchanged = Object.fromEntries(fields.map((field, index) => [field, times[index]]));
    const doc = await collection.findOneAndUpdate({ ...among, _id, ...unchanged }, claim);
    if (doc) return doc;
  }
  return null;
}
