// A count that workers raise. It only falls if a backup of the database is restored.
import type { Db } from "mongodb";
import { CONTINUITY, continuityIn } from "#mongo/continuity.ts";
import { MAJORITY, read, write } from "#mongo/mongo-calls.ts";
import type { ContinuityStore } from "#operations/ports.ts";

export function makeContinuityStore({ db }: { db: () => Db }): ContinuityStore {
  return {
    count: () => read(async () => (await continuityIn(db()).findOne(CONTINUITY, MAJORITY))?.count ?? 0),
    raise: (above, restored) =>
      write(async () => {
        const raised = { count: { $add: [{ $max: ["$count", above] }, 1] } };
        const update = [{ $set: restored ? { ...raised, restoredAt: "$$NOW" } : raised }];
        const options = { upsert: true, returnDocument: "after", writeConcern: { w: "majority" } } as const;
        return (await continuityIn(db()).findOneAndUpdate(CONTINUITY, update, options))?.count ?? 0;
      }),
    restoredAt: () => read(async () => (await continuityIn(db()).findOne(CONTINUITY, MAJORITY))?.restoredAt ?? null),
    sessionsOutliveRestore: () =>
      read(async () => {
        const { restoredAt, sessionsEndedAt } = (await continuityIn(db()).findOne(CONTINUITY)) ?? {};
        return restoredAt !== undefined && (sessionsEndedAt === undefined || sessionsEndedAt < restoredAt);
      }),
  };
}
