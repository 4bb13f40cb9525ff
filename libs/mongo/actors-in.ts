// The actors of records or of entries, by name. An index begins with the clan and the actor, so that MongoDB reads one
// record of each actor.
import type { Db } from "mongodb";

export async function actorsIn(
  db: Db,
  collection: "audit" | "ledger",
  match: object,
  limit: number,
): Promise<string[]> {
  const steps = [{ $match: match }, { $group: { _id: "$actor" } }, { $sort: { _id: 1 } }, { $limit: limit }];
  const found = await db.collection(collection).aggregate<{ _id: string }>(steps).toArray();
  return found.map(({ _id }) => _id);
}
