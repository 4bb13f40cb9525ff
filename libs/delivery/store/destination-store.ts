// Destinations as people manage them; each change is written with its audit record, which never contains a secret.
import { clanModel } from "#clans/store/clan-model.ts";
import { roleSyncModel } from "#delivery/store/role-sync-model.ts";
import type { ClientSession } from "mongoose";
import { makeAudited } from "#audit/store/audited.ts";
import type { Database } from "#mongo/database.ts";
import { makeChangeDestination } from "#delivery/store/change-destination.ts";
import { deliveryModel, endWaiting } from "#delivery/store/delivery-model.ts";
import {
  destinationModel,
  destinationInAudit,
  destinationOfDoc,
  docOfDestination,
  type DestinationDoc,
} from "#delivery/store/destination-model.ts";
import { read, rewrite } from "#mongo/mongo-calls.ts";
import type { DestinationStore } from "#delivery/ports.ts";

export function makeDestinationStore({ connection }: Pick<Database, "connection">): DestinationStore {
  const [destinations, deliveries] = [destinationModel(connection), deliveryModel(connection)];
  const audited = makeAudited({ connection });

  function find(destinationId: string, session: ClientSession): Promise<DestinationDoc | null> {
    return destinations.findById(destinationId, {}, { session }).lean<DestinationDoc>();
  }

  /** There may be too many for a transaction. */
  async function forgetRoles(destinationId: string): Promise<void> {
    await rewrite(() => roleSyncModel(connection).deleteMany({ destinationId }).exec());
  }

  return {
    read: (destinationId) =>
      read(async () => {
        const doc = await destinations.findById(destinationId).lean<DestinationDoc>();
        return doc && { ...destinationOfDoc(doc), rev: doc.rev };
      }),

    listOfClan: (clanId) =>
      read(async () =>
        (await destinations.find({ clanId }).sort({ createdAt: 1, _id: 1 }).lean<DestinationDoc[]>()).map(
          destinationOfDoc,
        ),
      ),

    add: (added, { max }, by) =>
      audited(by, async (session, note) => {
        const { destinationId, clanId, name: targetName } = added.destination;
        // So that two additions at the same time conflict.
        const clan = await clanModel(connection).updateOne({ _id: clanId }, { $inc: { rev: 1 } }, { session });
        // Deleted since it was read: what belongs to it then is found only by a late search.
        if (clan.matchedCount === 0) return "no_clan";
        if ((await destinations.countDocuments({ clanId }, { session })) >= max) return "too_many";
        await destinations.create([docOfDestination(added)], { session });
        const after = destinationInAudit(added.destination);
        await note({ action: "destination.add", clanId, target: destinationId, targetName, before: null, after });
        return "added";
      }),

    change: makeChangeDestination({ connection }),

    async remove(destinationId, by) {
      await forgetRoles(destinationId);
      const isRemoved = await audited(by, async (session, note) => {
        const doc = await find(destinationId, session);
        if (!doc) return false;
        await destinations.deleteOne({ _id: destinationId }, { session });
        await endWaiting(deliveries, { destinationId, reason: "the destination was removed", session });
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
