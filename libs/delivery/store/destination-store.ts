// Destinations as people manage them; each change is written with its audit record, which never contains a secret.
import { touchIfStored } from "#clans/store/touch-clan.ts";
import type { RoleSyncDoc } from "#delivery/store/role-sync-model.ts";
import type { ClientSession } from "mongodb";
import { makeAudited } from "#audit/store/audited.ts";
import type { Database } from "#mongo/database.ts";
import { makeChangeDestination } from "#delivery/store/change-destination.ts";
import { endWaiting, type DeliveryDoc } from "#delivery/store/delivery-model.ts";
import {
  destinationInAudit,
  destinationOfDoc,
  docOfDestination,
  type DestinationDoc,
} from "#delivery/store/destination-model.ts";
import { read, rewrite } from "#mongo/mongo-calls.ts";
import type { DestinationStore } from "#delivery/ports.ts";

export function makeDestinationStore({ db }: Pick<Database, "db">): DestinationStore {
  const destinations = () => db().collection<DestinationDoc>("destinations");
  const deliveries = () => db().collection<DeliveryDoc>("deliveries");
  const audited = makeAudited({ db });

  function find(destinationId: string, session: ClientSession): Promise<DestinationDoc | null> {
    return destinations().findOne({ _id: destinationId }, { session });
  }

  /** There may be too many for a transaction. */
  async function forgetRoles(destinationId: string): Promise<void> {
    await rewrite(() => db().collection<RoleSyncDoc>("syncs").deleteMany({ destinationId }));
  }

  return {
    read: (destinationId) =>
      read(async () => {
        const doc = await destinations().findOne({ _id: destinationId });
        return doc && { ...destinationOfDoc(doc), rev: doc.rev };
      }),

    listOfClan: (clanId) =>
      read(async () =>
        (await destinations().find({ clanId }).sort({ createdAt: 1, _id: 1 }).toArray()).map(destinationOfDoc),
      ),

    add: (added, { max }, by) =>
      audited(by, async (session, note) => {
        const { destinationId, clanId, name: targetName } = added.destination;
        // So that two additions at the same time conflict.
        const isStored = await touchIfStored({ db }, clanId, session);
        // Deleted since it was read: what belongs to it then is found only by a late search.
        if (!isStored) return "no_clan";
        if ((await destinations().countDocuments({ clanId }, { session })) >= max) return "too_many";
        await destinations().insertOne(docOfDestination(added), { session });
        const after = destinationInAudit(added.destination);
        await note({ action: "destination.add", clanId, target: destinationId, targetName, before: null, after });
        return "added";
      }),

    change: makeChangeDestination({ db }),

    async remove(destinationId, by) {
      await forgetRoles(destinationId);
      const isRemoved = await audited(by, async (session, note) => {
        const doc = await find(destinationId, session);
        if (!doc) return false;
        await destinations().deleteOne({ _id: destinationId }, { session });
        await endWaiting(deliveries(), { destinationId, reason: "the destination was removed", session });
        await note({
          action: "destination.remove",
          clanId: doc.clanId,
          target: destinationId,
          targetName: doc.name,
          before: destinationInAudit(destinationOfDoc(doc).destination),
          after: null,
        });
        return true;
      });
      // Those that its holder has added meanwhile.
      await forgetRoles(destinationId).catch(() => {});
      return isRemoved;
    },
  };
}
