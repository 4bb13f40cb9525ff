// A count that workers raise. It only falls if a backup of the database is restored.
import type { ClientSession, mongo } from "mongoose";
import { MAJORITY, read, write } from "#store/mongo-calls.ts";
import type { ContinuityStore } from "#usecases/operations/ports.ts";

type ContinuityDoc = { _id: "continuity"; count: number; restoredAt?: Date; sessionsEndedAt?: Date };

const ID = { _id: "continuity" } as const;
const metaOf = (db: mongo.Db) => db.collection<ContinuityDoc>("meta");

export function makeContinuityStore({ db }: { db: () => mongo.Db }): ContinuityStore {
  return {
    count: () => read(async () => (await metaOf(db()).findOne(ID, MAJORITY))?.count ?? 0),
    raise: (above, restored) =>
      write(async () => {
        const raised = { count: { $add: [{ $max: ["$count", above] }, 1] } };
        const update = [{ $set: restored ? { ...raised, restoredAt: "$$NOW" } : raised }];
        const options = { upsert: true, returnDocument: "after", writeConcern: { w: "majority" } } as const;
        return (await metaOf(db()).findOneAndUpdate(ID, update, options))?.count ?? 0;
      }),
    restoredAt: () => read(async () => (await metaOf(db()).findOne(ID, MAJORITY))?.restoredAt ?? null),
    sessionsOutliveRestore: () =>
      read(async () => {
        const { restoredAt, sessionsEndedAt } = (await metaOf(db()).findOne(ID)) ?? {};
        return restoredAt !== undefined && (sessionsEndedAt === undefined || sessionsEndedAt < restoredAt);
      }),
  };
}

/** In the transaction that ends all sessions. */
export async function noteSessionsEnded(db: mongo.Db, session: ClientSession): Promise<void> {
  await metaOf(db).updateOne(ID, [{ $set: { sessionsEndedAt: "$$NOW" } }], { upsert: true, session });
}
