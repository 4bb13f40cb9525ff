// What became of events for all destinations of their clan.
import type { Collection } from "mongodb";
import type { DeliveryState } from "#domain/destination.ts";
import type { Database } from "#mongo/database.ts";
import type { DeliveryDoc } from "#delivery/store/delivery-model.ts";
import type { DestinationDoc } from "#delivery/store/destination-model.ts";
import { read } from "#mongo/mongo-calls.ts";
import type { ReadDeliveryStates } from "#delivery/ports.ts";

export function makeReadDeliveryStates({ db }: Pick<Database, "db">): ReadDeliveryStates {
  const deliveries = (): Collection<DeliveryDoc> => db().collection<DeliveryDoc>("deliveries");
  const destinations = (): Collection<DestinationDoc> => db().collection<DestinationDoc>("destinations");

  return (clanId, events) =>
    read(async () => {
      const ofClan = await destinations()
        .find({ clanId }, { projection: { _id: 1 } })
        .toArray();
      const ids = ofClan.flatMap(({ _id: destinationId }) => events.map(({ n }) => ({ destinationId, n })));
      const found = await deliveries()
        .find({ _id: { $in: ids } }, { projection: { eventId: 1, state: 1 } })
        .toArray();
      const states = new Map<string, Partial<Record<DeliveryState, number>>>();
      for (const { eventId, state } of found) {
        const counts = states.get(eventId) ?? {};
        states.set(eventId, { ...counts, [state]: (counts[state] ?? 0) + 1 });
      }
      return states;
    });
}
