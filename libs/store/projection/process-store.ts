// How far each process has projected its commits. When a process crashes, a worker uses this record to project the
// rest.
//
// Only MongoDB's clock determines whether a process is silent: the clocks of the processes do not matter.
import type { Database } from "#store/database.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import type { ProcessStore } from "#usecases/projection/ports.ts";

type ProcessDoc = { _id: string; projectedTo: Date; seenAt: Date; passes: number };

export function makeProcessStore({ db }: Pick<Database, "db">): ProcessStore {
  const processes = () => db().collection<ProcessDoc>("processes");
  return {
    note: (processId, projectedTo) =>
      rewrite(async () => {
        const changes = { $set: { projectedTo, passes: 0 }, $currentDate: { seenAt: true } } as const;
        await processes().updateOne({ _id: processId }, changes, { upsert: true });
      }),
    remove: (processId) =>
      rewrite(async () => {
        await processes().deleteOne({ _id: processId });
      }),
    listSilent: (silentMs, passes) =>
      read(async () => {
        const { localTime } = await db().command({ hello: 1 });
        const seenAt = { $lt: new Date(Number(localTime) - silentMs) };
        const docs = await processes()
          .find({ passes, seenAt }, { readConcern: { level: "majority" } })
          .toArray();
        return docs.map(({ _id, projectedTo }) => ({ processId: _id, projectedTo }));
      }),
    listNotes: () =>
      read(async () => {
        const { localTime } = await db().command({ hello: 1 });
        const docs = await processes()
          .find({}, { projection: { _id: 0 } })
          .toArray();
        return docs.map(({ projectedTo, seenAt, passes }) => {
          return { projectedTo, seenAt, passes, silentMs: Number(localTime) - seenAt.getTime() };
        });
      }),
    // Only if the record is unchanged: a process that was merely paused has updated it meanwhile.
    notePass: ({ processId, projectedTo }, passes) =>
      rewrite(async () => {
        await processes().updateOne({ _id: processId, projectedTo }, { $set: { passes } });
      }),
  };
}
