// Records of resets, in the collection of reversals, whose store runs them.
import type { Actor } from "#domain/audit.ts";
import { isReset, type Reset } from "#domain/reset.ts";
import { makeAudited } from "#audit/store/audited.ts";
import type { Database } from "#mongo/database.ts";
import { MAJORITY, read as readInTime, rewrite } from "#mongo/mongo-calls.ts";
import { mongoTimeAgo } from "#mongo/mongo-time.ts";
import { correctionOfDoc, docOfCorrection, type ReversalDoc } from "#reversals/store/reversal-model.ts";
import type { ResetStore } from "#resets/ports.ts";

const OF_RESETS = { "selection.at": { $exists: true } } as const;
const UNFINISHED = { state: { $in: ["scheduled", "queued", "running"] } } as const;

/** `awardsPerTurn`: the size at which the job of a reset is counted when workers take turns between clans. */
export function makeResetStore(database: Pick<Database, "db">, awardsPerTurn: number): ResetStore {
  const { db } = database;
  const audited = makeAudited(database);
  const records = () => db().collection<ReversalDoc>("reversals");

  return {
    now: () => readInTime(() => mongoTimeAgo({ db }, 0)),

    insert: (reset, by, { max }) =>
      audited(by, async (session, note) => {
        const { reversalId: resetId, clanId, selection } = reset;
        const open = await records().countDocuments({ clanId, ...OF_RESETS, ...UNFINISHED }, { session });
        if (open >= max) return false;
        await records().insertOne(docOfCorrection(reset), { session });
        // Without the reason, which may name a member: the audit log outlives an erasure.
        const after = { resetId, at: selection.at, keepPercent: selection.keepPercent };
        await note({ action: "reset.submit", clanId, target: resetId, before: null, after });
        return true;
      }),

    read: (resetId) =>
      readInTime(async () => resetOfDoc(await records().findOne({ _id: resetId, ...OF_RESETS }, MAJORITY))),

    list: (clanId, limit) =>
      readInTime(async () => {
        const docs = await records()
          .find({ clanId, ...OF_RESETS }, MAJORITY)
          .sort({ createdAt: -1, _id: -1 })
          .limit(limit)
          .toArray();
        return docs.flatMap((doc) => resetOfDoc(doc) ?? []);
      }),

    cancel: ({ resetId, clanId }, by: Actor) =>
      audited(by, async (session, note) => {
        const ofClan = clanId === undefined ? {} : { clanId };
        const doc = await records().findOne({ _id: resetId, ...ofClan, ...OF_RESETS }, { session });
        if (doc?.state !== "scheduled" && doc?.state !== "queued") return resetOfDoc(doc);
        const cancelled = { state: "cancelled" as const, finishedAt: new Date() };
        await records().updateOne({ _id: resetId }, { $set: cancelled }, { session });
        const [before, after] = [{ status: doc.state }, { status: cancelled.state }];
        await note({ action: "reset.cancel", clanId: doc.clanId, target: resetId, before, after });
        return resetOfDoc({ ...doc, ...cancelled });
      }),

    queueDue: () =>
      rewrite(async () => {
        const due = { state: "scheduled" as const, "selection.at": { $lte: await mongoTimeAgo({ db }, 0) } };
        const docs = await records()
          .find(due, { ...MAJORITY, projection: { clanId: 1 } })
          .toArray();
        const ids = docs.map(({ _id }) => _id);
        if (ids.length > 0) await records().updateMany({ ...due, _id: { $in: ids } }, { $set: { state: "queued" } });
        return docs.map(({ _id, clanId }) => ({ batchId: _id, clanId, awards: awardsPerTurn }));
      }),
  };
}

function resetOfDoc(doc: ReversalDoc | null): Reset | null {
  const correction = doc && correctionOfDoc(doc);
  return correction && isReset(correction) ? correction : null;
}
