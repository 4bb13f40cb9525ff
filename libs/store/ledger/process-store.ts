// How far each process has projected its commits. When a process crashes, a worker uses this record to project the
// rest.
//
// Only MongoDB's clock determines whether a process is silent: the clocks of the processes do not matter.
import type { Database } from "#store/database.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import { ageOf } from "#store/mongo-time.ts";
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

type Aged = ProcessDoc & { silentMs: bigint; claimedMs: bigint | null };
const MAJORITY = { readConcern: { level: "majority" } } as const;
const AGED = {
  projectedTo: 1,
  seenAt: 1,
  passes: 1,
  claim: 1,
  silentMs: ageOf("seenAt"),
  claimedMs: ageOf("claim.at"),
} as const;

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
        const found = await processes()
          .find<Aged>({ passes }, { ...MAJORITY, projection: AGED })
          .sort({ seenAt: 1 })
          .toArray();
        for (const { _id, seenAt, claim, ...aged } of found) {
          const isFree = !claim || claim.by === by || (aged.claimedMs ?? 0n) > forMs;
          if (aged.silentMs <= silentMs || !isFree) continue;
          // Unless it has recorded something since, or another worker was faster.
          const doc = await processes().findOneAndUpdate(
            { _id, passes, seenAt, ...(claim ? { "claim.at": claim.at } : { claim: { $exists: false } }) },
            [{ $set: { claim: { by, at: "$$NOW" } } }],
          );
          if (doc) return { processId: _id, projectedTo: doc.projectedTo, seenAt, claimedBy: by };
        }
        return null;
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
