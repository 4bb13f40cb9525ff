// Which notifier works on which destination (docs/decisions/0049). Only MongoDB's clock decides how long a lease lasts.
//
// Invariant: a lease whose token is no notifier's has ended for ever. So of destinations that are read before the
// notifiers, those with other tokens may be claimed later, too: a process that has claimed one meanwhile has another
// token.
import type { mongo } from "mongoose";
import type { Database } from "#store/database.ts";
import { destinationOfDoc, type DestinationDoc } from "#store/destinations/destination-model.ts";
import type { NotifierDoc } from "#store/destinations/notifier-models.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import { ageOf, mongoTimeAgo } from "#store/mongo-time.ts";
import type { HoldStore, Lease } from "#usecases/destinations/ports.ts";

const DURABLE = { writeConcern: { w: "majority", journal: true } } as const;

export function makeHoldStore({ db }: Pick<Database, "db">): HoldStore {
  const destinations = (): mongo.Collection<DestinationDoc> => db().collection<DestinationDoc>("destinations");
  const notifiers = (): mongo.Collection<NotifierDoc> => db().collection<NotifierDoc>("notifiers");

  function note(filter: mongo.Filter<NotifierDoc>, set: object, upsert: boolean): Promise<NotifierDoc | null> {
    const options = { ...DURABLE, upsert, returnDocument: "after" } as const;
    return notifiers().findOneAndUpdate(filter, [{ $set: { ...set, at: "$$NOW" } }], options);
  }

  return {
    begin: ({ notifierId, token }) =>
      rewrite(async () => {
        const doc = await note({ _id: notifierId }, { token }, true);
        if (!doc) throw new Error("MongoDB returned no document of an upsert");
        return doc.at;
      }),

    renew: ({ notifierId, token }) =>
      rewrite(async () => (await note({ _id: notifierId, token }, {}, false))?.at ?? null),

    list: ({ silentMs }) =>
      read(async () => {
        const listed = await destinations()
          .find({}, { projection: { clanId: 1, rev: 1, "holder.token": 1 } })
          .toArray();
        const seen = await notifiers()
          .find<{ _id: string; token: string; ageMs: bigint }>({}, { projection: { token: 1, ageMs: ageOf("at") } })
          .toArray();
        if (seen.some(({ ageMs }) => ageMs > silentMs))
          await notifiers().deleteMany({ at: { $lt: await mongoTimeAgo({ db }, silentMs) } }, DURABLE);
        return {
          destinations: listed.map(({ _id: destinationId, clanId, rev, holder }) => {
            return { destinationId, clanId, rev, holder: holder?.token ?? null };
          }),
          notifiers: seen.map(({ _id: notifierId, token, ageMs }) => {
            return { notifierId, token, isSilent: ageMs > silentMs };
          }),
        };
      }),

    claim: (destinationIds, { lease, ended }) =>
      rewrite(async () => {
        const those = { _id: { $in: [...destinationIds] } };
        const free = { "holder.token": { $in: [null, lease.token, ...ended] } } as mongo.Filter<DestinationDoc>;
        await destinations().updateMany({ ...those, ...free }, { $set: { holder: lease } }, DURABLE);
        const docs = await destinations()
          .find({ ...those, "holder.token": lease.token }, { readConcern: { level: "majority" } })
          .toArray();
        return docs.map((doc) => ({ ...destinationOfDoc(doc), run: doc.run, rev: doc.rev }));
      }),

    release: (destinationIds, { token }) =>
      rewrite(async () => {
        const those = { _id: { $in: [...destinationIds] }, "holder.token": token };
        await destinations().updateMany(those, { $unset: { holder: "" } });
      }),

    leave: ({ notifierId, token }: Lease) =>
      rewrite(async () => {
        await notifiers().deleteOne({ _id: notifierId, token });
      }),
  };
}
