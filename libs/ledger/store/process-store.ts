// How far each process has projected its commits. When a process crashes, a worker uses this record to project the
// rest.
//
// Only MongoDB's clock determines whether a process is silent: the clocks of the processes do not matter.
import { claimSilent } from "#mongo/claims.ts";
import type { Database } from "#mongo/database.ts";
import { MAJORITY, read, rewrite } from "#mongo/mongo-calls.ts";
import { ageOf } from "#mongo/mongo-time.ts";
import type { ClaimedProcess, ProcessStore } from "#ledger/ports.ts";

/** `note`: the number of the last note, absent in records of older versions. `claim`: of a worker that recovers it. */
type ProcessDoc = {
  _id: string;
  projectedTo: Date;
  note?: number;
  seenAt: Date;
  passes: number;
  claim?: { by: string; at: Date };
};

type Aged = ProcessDoc & { silentMs: bigint };
const AGED = { projectedTo: 1, seenAt: 1, passes: 1, silentMs: ageOf("seenAt") } as const;

export function makeProcessStore({ db, interruptions }: Pick<Database, "db" | "interruptions">): ProcessStore {
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
        const options = { upsert: true, returnDocument: "before", projection: { note: 1 } } as const;
        const update = [{ $set: changes }, { $unset: "claim" }];
        return (await processes().findOneAndUpdate({ _id: processId }, update, options))?.note ?? 0;
      }),
    interruptions,
    remove: (processId) =>
      rewrite(async () => {
        await processes().deleteOne({ _id: processId });
      }),
    claimSilent: ({ silentMs, passes }, { by, forMs }) =>
      rewrite(async () => {
        const agesMs = { seenAt: silentMs, "claim.at": forMs };
        const claim = [{ $set: { claim: { by, at: "$$NOW" } } }];
        const doc = await claimSilent(processes(), { passes }, { agesMs, order: "seenAt", claim, holder: by });
        return doc && { processId: doc._id, projectedTo: doc.projectedTo, seenAt: doc.seenAt, claimedBy: by };
      }),
    renewClaim: (process) =>
      rewrite(async () => {
        const renewed = await processes().updateOne(claimed(process), [{ $set: { "claim.at": "$$NOW" } }]);
        return renewed.matchedCount === 1;
      }),
    listNotes: () =>
      read(async () => {
        const docs = await processes()
          .find<Aged>({}, { ...MAJORITY, projection: AGED })
          .toArray();
        return docs.map(({ projectedTo, seenAt, passes, silentMs }) => {
          return { projectedTo, seenAt, passes, silentMs: Number(silentMs) };
        });
      }),
    endClaim: (process, { last }) =>
      rewrite(async () => {
        if (last) await processes().deleteOne(claimed(process));
        else await processes().updateOne(claimed(process), { $inc: { passes: 1 }, $unset: { claim: "" } });
      }),
  };
}
