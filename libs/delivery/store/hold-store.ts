// Which notifier works on which destination (docs/decisions/0049). Only MongoDB's clock decides how long a lease lasts.
//
// Invariant: a lease whose id is no notifier's has ended for ever. So of destinations that are read before the
// notifiers, those with other leases may be claimed later, too: a process that has claimed one meanwhile has another
// lease.
import type { Collection, Document, Filter } from "mongodb";
import type { Database } from "#mongo/database.ts";
import { destinationOfDoc, type DestinationDoc } from "#delivery/store/destination-model.ts";
import type { NotifierDoc } from "#delivery/store/notifier-models.ts";
import { read, rewrite } from "#mongo/mongo-calls.ts";
import { ageOf, mongoTimeAgo } from "#mongo/mongo-time.ts";
import type { HoldStore } from "#delivery/ports.ts";

const DURABLE = { writeConcern: { w: "majority", journal: true } } as const;

type Listed =
  | ({ of: "destination"; _id: string } & Pick<DestinationDoc, "clanId" | "rev" | "holder">)
  | { of: "notifier"; _id: string; leaseId: string; ageMs: bigint }
  | { of: "call"; _id: string };

/** In one command, because each notifier runs it again and again. MongoDB reads one collection after the other. */
const ALL: Document[] = [
  { $project: { of: { $literal: "destination" }, clanId: 1, rev: 1, "holder.leaseId": 1 } },
  {
    $unionWith: {
      coll: "notifiers",
      pipeline: [{ $project: { of: { $literal: "notifier" }, leaseId: 1, ageMs: ageOf("at") } }],
    },
  },
  {
    $unionWith: {
      coll: "calls",
      pipeline: [{ $match: { takenBy: null } }, { $limit: 1 }, { $project: { of: { $literal: "call" } } }],
    },
  },
];

export function makeHoldStore({ db }: Pick<Database, "db">): HoldStore {
  const destinations = (): Collection<DestinationDoc> => db().collection<DestinationDoc>("destinations");
  const notifiers = (): Collection<NotifierDoc> => db().collection<NotifierDoc>("notifiers");

  function note(filter: Filter<NotifierDoc>, set: object, upsert: boolean): Promise<NotifierDoc | null> {
    const options = { ...DURABLE, upsert, returnDocument: "after" } as const;
    return notifiers().findOneAndUpdate(filter, [{ $set: { ...set, at: "$$NOW" } }], options);
  }

  return {
    begin: ({ notifierId, leaseId }) =>
      rewrite(async () => {
        const doc = await note({ _id: notifierId }, { leaseId }, true);
        if (!doc) throw new Error("MongoDB returned no document of an upsert");
        return doc.at;
      }),

    renew: ({ notifierId, leaseId }) =>
      rewrite(async () => (await note({ _id: notifierId, leaseId }, {}, false))?.at ?? null),

    list: ({ silentMs }) =>
      read(async () => {
        const found = await destinations().aggregate<Listed>(ALL).toArray();
        const seen = found.filter((one) => one.of === "notifier");
        if (seen.some(({ ageMs }) => ageMs > silentMs))
          await notifiers().deleteMany({ at: { $lt: await mongoTimeAgo({ db }, silentMs) } }, DURABLE);
        return {
          destinations: found.flatMap((one) => {
            if (one.of !== "destination") return [];
            return [{ destinationId: one._id, clanId: one.clanId, rev: one.rev, holder: one.holder?.leaseId ?? null }];
          }),
          notifiers: seen.map(({ _id: notifierId, leaseId, ageMs }) => {
            return { notifierId, leaseId, isSilent: ageMs > silentMs };
          }),
          isAsked: found.some((one) => one.of === "call"),
        };
      }),

    claim: (destinationIds, { lease, token, ended }) =>
      rewrite(async () => {
        const those = { _id: { $in: [...destinationIds] } };
        const free = { "holder.leaseId": { $in: [null, lease.leaseId, ...ended] } } as Filter<DestinationDoc>;
        await destinations().updateMany({ ...those, ...free }, { $set: { holder: { ...lease, token } } }, DURABLE);
        const docs = await destinations()
          .find({ ...those, "holder.token": token }, { readConcern: { level: "majority" } })
          .toArray();
        return docs.map((doc) => ({ ...destinationOfDoc(doc), run: doc.run, rev: doc.rev }));
      }),

    release: (destinationIds, { leaseId }) =>
      rewrite(async () => {
        const those = { _id: { $in: [...destinationIds] }, "holder.leaseId": leaseId };
        await destinations().updateMany(those, { $unset: { holder: "" } });
      }),

    leave: ({ notifierId, leaseId }) =>
      rewrite(async () => {
        await notifiers().deleteOne({ _id: notifierId, leaseId });
      }),
  };
}
