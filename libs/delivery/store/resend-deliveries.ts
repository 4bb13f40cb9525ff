// Sends deliveries once more, because a person asks for it.
import type { AnyBulkWriteOperation, Collection, UpdateFilter } from "mongodb";
import { makeAudited } from "#audit/store/audited.ts";
import type { Database } from "#mongo/database.ts";
import { waitingDelivery, type DeliveryDoc } from "#delivery/store/delivery-model.ts";
import type { DestinationDoc } from "#delivery/store/destination-model.ts";
import type { DeliveryLog } from "#delivery/ports.ts";

/** What `again` sets anew: the event is tried as often as a new one. */
const AGAIN = {
  $set: { state: "waiting", again: true, tried: 0, nextAt: null, reason: null },
  $unset: { endedAt: "" },
};

export function makeResendDeliveries({ db }: Pick<Database, "db">): DeliveryLog["resend"] {
  const audited = makeAudited({ db });
  const deliveries = (): Collection<DeliveryDoc> => db().collection<DeliveryDoc>("deliveries");
  const destinations = (): Collection<DestinationDoc> => db().collection<DestinationDoc>("destinations");

  return (destinationId, which, by) =>
    audited(by, async (session, note) => {
      const doc = await destinations().findOne({ _id: destinationId }, { session, projection: { clanId: 1, name: 1 } });
      if (!doc) return 0;
      const added = "events" in which ? which.events.map((event) => waitingDelivery(destinationId, event)) : [];
      if (added.length > 0) {
        const writes = added.map(
          ({ _id, state: _state, tried: _tried, nextAt: _nextAt, reason: _reason, ...facts }) => ({
            updateOne: { filter: { _id }, update: { ...AGAIN, $setOnInsert: facts }, upsert: true },
          }),
        );
        await deliveries().bulkWrite(writes as AnyBulkWriteOperation<DeliveryDoc>[], { session });
      }
      const numbers = "failed" in which ? which.failed : [];
      const failed = { _id: { $in: numbers.map((n) => ({ destinationId, n })) }, state: "failed" } as const;
      const resent =
        "events" in which
          ? added.length
          : (await deliveries().updateMany(failed, AGAIN as UpdateFilter<DeliveryDoc>, { session })).matchedCount;
      if (resent === 0) return 0;
      await destinations().updateOne({ _id: destinationId }, { $inc: { rev: 1 } }, { session });
      const named = { clanId: doc.clanId, target: destinationId, targetName: doc.name };
      await note({ action: "destination.resend", ...named, before: null, after: { events: resent } });
      return resent;
    });
}
