// The record of each erasure. It holds the platform ID only while the erasure is unfinished, so that another process
// can go on with it.
//
// Whether a process is silent is judged by MongoDB's clock alone: the clocks of the processes do not matter.
import { makeAudited } from "#store/audited.ts";
import type { Database } from "#store/database.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import type { ErasureDoc } from "#store/erasure-model.ts";
import type { Erasure, ErasureStore } from "#usecases/erasure/ports.ts";

const UNFINISHED = { finishedAt: null } as const;

const ALIVE = { $currentDate: { aliveAt: true } } as const;

export function makeErasureStore({ db, ...database }: Pick<Database, "db" | "models" | "connection">): ErasureStore {
  const audited = makeAudited(database);
  const erasures = () => db().collection<ErasureDoc>("erasures");
  return {
    begin: ({ erasureId, clanId, platformId }, by) =>
      audited(by, async (session, note) => {
        // A retry of a command goes on with what it began.
        const begun = await erasures().findOneAndUpdate({ ...UNFINISHED, clanId, platformId }, ALIVE, {
          session,
          returnDocument: "after",
        });
        if (begun) return erasureOf(begun);
        const fresh = { clanId, platformId, fenced: [], finishedAt: null };
        const dates = { $currentDate: { createdAt: true, aliveAt: true } } as const;
        await erasures().updateOne({ _id: erasureId }, { $setOnInsert: fresh, ...dates }, { session, upsert: true });
        // Without the platform ID: the audit log outlives it.
        await note({ action: "member.erase", clanId, target: erasureId, before: null, after: { erasureId } });
        return { erasureId, clanId, platformId };
      }),
    noteAlive: (erasureId) =>
      rewrite(async () => {
        await erasures().updateOne({ ...UNFINISHED, _id: erasureId }, ALIVE);
      }),
    listSilent: (silentMs) =>
      read(async () => {
        const { localTime } = await db().command({ hello: 1 });
        const aliveAt = { $lt: new Date(Number(localTime) - silentMs) };
        const docs = await erasures()
          .find({ ...UNFINISHED, aliveAt }, { readConcern: { level: "majority" } })
          .sort({ createdAt: 1 })
          .toArray();
        return docs.map(erasureOf);
      }),
    finish: (erasureId, counts) =>
      rewrite(async () => {
        const changes = [
          { $set: { finishedAt: "$$NOW", counts: { $literal: counts } } },
          { $unset: ["platformId", "fenced", "aliveAt"] },
        ];
        await erasures().updateOne({ ...UNFINISHED, _id: erasureId }, changes);
      }),
    unfinished: () =>
      read(async () => {
        const oldest = await erasures().findOne(UNFINISHED, { sort: { createdAt: 1 }, projection: { createdAt: 1 } });
        return { oldestCreatedAt: oldest?.createdAt ?? null };
      }),
  };
}

function erasureOf({ _id, clanId, platformId = "" }: ErasureDoc): Erasure {
  return { erasureId: _id, clanId, platformId };
}
