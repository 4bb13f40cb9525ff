// How far each process has projected its commits. When a process crashes, a worker uses this record to project the
// rest.
//
// Only MongoDB's clock determines whether a process is silent: the clocks of the processes do not matter.
import type { Database } from "#store/database.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import { mongoTimeAgo } from "#store/mongo-time.ts";
import type { ClaimedProcess, ProcessStore } from "#usecases/projection/ports.ts";

/** `note`: the number of the last note, absent in records of older versions. `claim`: of a worker that recovers it. */
type ProcessDoc = {
  _id: string;
  projectedTo: Date;
  note?: number;
  seenAt: Date;
  passes: number;
  claim?: { by: string; at: Date };
};

export function makeProcessStore({ db }: Pick<Database, "db">): ProcessStore {
  const processes = () => db().collection<ProcessDoc>("processes");
  /** Only while the record is unchanged: a process that was merely paused has updated it meanwhile. */
  const claimed = ({ processId, seenAt, claimedBy }: ClaimedProcess) => {
    return { _id: processId, seenAt, "claim.by": claimedBy };
  };
  return {
    note: (processId, { projectedTo, number }) =>
      rewrite(async () => {
        const latest = { $cond: [{ $gt: ["$note", number] }, "$projectedTo", projectedTo] };
        const changes = { projectedTo: latest, note: { $max: ["$note", number] }, passes: 0, seenAt: "$$NOW" };
        await processes().updateOne({ _id: processId }, [{ $set: changes }, { $unset: "claim" }], { upsert: true });
      }),
    remove: (processId) =>
      rewrite(async () => {
        await processes().deleteOne({ _id: processId });
      }),
    claimSilent: ({ silentMs, passes }, { by, forMs }) =>
      rewrite(async () => {
        const nowMs = (await mongoTimeAgo({ db }, 0)).getTime();
        const olderThan = (ageMs: number) => ({ $lt: new Date(nowMs - ageMs) });
        const isFree = [{ claim: { $exists: false } }, { "claim.by": by }, { "claim.at": olderThan(forMs) }];
        const doc = await processes().findOneAndUpdate(
          { passes, seenAt: olderThan(silentMs), $or: isFree },
          [{ $set: { claim: { by, at: "$$NOW" } } }],
          { sort: { seenAt: 1 } },
        );
        return doc && { processId: doc._id, projectedTo: doc.projectedTo, seenAt: doc.seenAt, claimedBy: by };
      }),
    renewClaim: (process) =>
      rewrite(async () => {
        const renewed = await processes().updateOne(claimed(process), [{ $set: { "claim.at": "$$NOW" } }]);
        return renewed.matchedCount === 1;
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
    endClaim: (process, { last }) =>
      rewrite(async () => {
        if (last) await processes().deleteOne(claimed(process));
        else await processes().updateOne(claimed(process), { $inc: { passes: 1 }, $unset: { claim: "" } });
      }),
  };
}
