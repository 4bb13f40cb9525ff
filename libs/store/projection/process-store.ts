// How far each process has projected its commits. When a process crashes, a worker uses this record to project the
// rest.
//
// Only MongoDB's clock determines whether a process is silent: the clocks of the processes do not matter.
import type { Database } from "#store/database.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import { mongoTimeAgo } from "#store/mongo-time.ts";
import type { ProcessStore } from "#usecases/projection/ports.ts";

/** `note`: the number of the last note, absent in records of older versions. */
type ProcessDoc = { _id: string; projectedTo: Date; note?: number; seenAt: Date; passes: number };

export function makeProcessStore({ db }: Pick<Database, "db">): ProcessStore {
  const processes = () => db().collection<ProcessDoc>("processes");
  return {
    note: (processId, { projectedTo, number }) =>
      rewrite(async () => {
        const latest = { $cond: [{ $gt: ["$note", number] }, "$projectedTo", projectedTo] };
        const changes = { projectedTo: latest, note: { $max: ["$note", number] }, passes: 0, seenAt: "$$NOW" };
        await processes().updateOne({ _id: processId }, [{ $set: changes }], { upsert: true });
      }),
    remove: (processId) =>
      rewrite(async () => {
        await processes().deleteOne({ _id: processId });
      }),
    listSilent: (silentMs, passes) =>
      read(async () => {
        const seenAt = { $lt: await mongoTimeAgo({ db }, silentMs) };
        const docs = await processes()
          .find({ passes, seenAt }, { readConcern: { level: "majority" } })
          .toArray();
        return docs.map(({ _id, projectedTo, seenAt: at }) => ({ processId: _id, projectedTo, seenAt: at }));
      }),
    listNotes: () =>
      read(async () => {
        const nowMs = (await mongoTimeAgo({ db }, 0)).getTime();
        const docs = await processes()
          .find({}, { projection: { _id: 0 } })
          .toArray();
        return docs.map(({ projectedTo, seenAt, passes }) => {
          return { projectedTo, seenAt, passes, silentMs: nowMs - seenAt.getTime() };
        });
      }),
    // Only if the record is unchanged: a process that was merely paused has updated it meanwhile.
    notePass: ({ processId, seenAt }, passes) =>
      rewrite(async () => {
        await processes().updateOne({ _id: processId, seenAt }, { $set: { passes } });
      }),
  };
}
