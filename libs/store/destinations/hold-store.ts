// Which notifier works on which destination (docs/decisions/0049). Only MongoDB's clock decides how long one is held.
import type { mongo } from "mongoose";
import type { Database } from "#store/database.ts";
import { destinationOfDoc, type DestinationDoc } from "#store/destinations/destination-model.ts";
import type { NotifierDoc } from "#store/destinations/notifier-models.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import { ageOf } from "#store/mongo-time.ts";
import type { HoldStore } from "#usecases/destinations/ports.ts";

export function makeHoldStore({ db }: Pick<Database, "db">): HoldStore {
  const destinations = (): mongo.Collection<DestinationDoc> => db().collection<DestinationDoc>("destinations");
  const notifiers = (): mongo.Collection<NotifierDoc> => db().collection<NotifierDoc>("notifiers");
  const later = (holdMs: number) => ({ $add: ["$$NOW", holdMs] });

  return {
    beat: (notifierId, { holdMs }) =>
      rewrite(async () => {
        await notifiers().updateOne({ _id: notifierId }, [{ $set: { at: "$$NOW" } }], { upsert: true });
        const mine = { "holder.notifierId": notifierId };
        await destinations().updateMany(mine, [{ $set: { "holder.until": later(holdMs) } }]);
        const [seen, held] = await Promise.all([
          notifiers()
            .find<{ _id: string; silentMs: bigint }>({}, { projection: { silentMs: ageOf("at") } })
            .toArray(),
          destinations()
            .find(mine, { projection: { _id: 1 } })
            .toArray(),
        ]);
        const silent = seen.filter(({ silentMs }) => silentMs > holdMs * SILENT_FOR_GOOD);
        if (silent.length > 0) await notifiers().deleteMany({ _id: { $in: silent.map(({ _id }) => _id) } });
        return {
          alive: seen.filter(({ silentMs }) => silentMs <= holdMs).map(({ _id }) => _id),
          held: held.map(({ _id }) => _id),
        };
      }),

    list: () =>
      read(async () => {
        const docs = await destinations()
          .find({}, { projection: { clanId: 1, rev: 1 } })
          .toArray();
        return docs.map(({ _id: destinationId, clanId, rev }) => ({ destinationId, clanId, rev }));
      }),

    claim: (destinationId, { notifierId, token, holdMs }) =>
      rewrite(async () => {
        const before = await destinations().findOne<Pick<DestinationDoc, "holder"> & { overdueMs: bigint | null }>(
          { _id: destinationId },
          { projection: { holder: 1, overdueMs: ageOf("holder.until") } },
        );
        const holds = before?.holder;
        if (!before || (holds && holds.notifierId !== notifierId && (before.overdueMs ?? 0n) <= 0n)) return null;
        // Unless another process was faster, or the holder has shown a sign of life.
        const same = holds
          ? { "holder.token": holds.token, "holder.until": holds.until }
          : { holder: { $exists: false } };
        const holder = { notifierId, token, until: later(holdMs) };
        const doc = await destinations().findOneAndUpdate({ _id: destinationId, ...same }, [{ $set: { holder } }], {
          returnDocument: "after",
          writeConcern: { w: "majority", journal: true },
        });
        if (!doc?.holder) return null;
        const { rev, run } = doc;
        return { ...destinationOfDoc(doc), run, rev, now: new Date(doc.holder.until.getTime() - holdMs) };
      }),

    release: (destinationId, token) =>
      rewrite(async () => {
        await destinations().updateOne({ _id: destinationId, "holder.token": token }, { $unset: { holder: "" } });
      }),

    leave: (notifierId) =>
      rewrite(async () => {
        await notifiers().deleteOne({ _id: notifierId });
      }),
  };
}

/** A notifier that was silent for so many times as long is not listed any more. */
const SILENT_FOR_GOOD = 6;
