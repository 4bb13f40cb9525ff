// The document that shows that a backup of the database was restored: when, and when all sessions were ended since.
import type { ClientSession, Collection, Db } from "mongodb";

type ContinuityDoc = { _id: "continuity"; count: number; restoredAt?: Date; sessionsEndedAt?: Date };

export const CONTINUITY = { _id: "continuity" } as const;

export function continuityIn(db: Db): Collection<ContinuityDoc> {
  return db.collection<ContinuityDoc>("meta");
}

/** In the transaction that ends all sessions. */
export async function noteSessionsEnded(db: Db, session: ClientSession): Promise<void> {
  await continuityIn(db).updateOne(CONTINUITY, [{ $set: { sessionsEndedAt: "$$NOW" } }], { upsert: true, session });
}
