// Reads the state of destinations and notifiers for the doctor.
import type { Database } from "#mongo/database.ts";
import { makeDeliveryCounts } from "#delivery/store/delivery-counts.ts";
import type { DestinationDoc } from "#delivery/store/destination-model.ts";
import type { NotifierDoc } from "#delivery/store/notifier-models.ts";
import { ageOf, mongoTimeAgo } from "#mongo/mongo-time.ts";
import type { DestinationFacts } from "#operations/ports.ts";

export async function inspectDestinations(database: Pick<Database, "db">): Promise<DestinationFacts> {
  const destinations = database.db().collection<DestinationDoc>("destinations");
  const notifiers = database.db().collection<NotifierDoc>("notifiers");
  const [docs, [newest], { oldestAt }, now] = await Promise.all([
    destinations.find({}, { projection: { sealed: 1 } }).toArray(),
    notifiers
      .find<{ silentMs: bigint }>({}, { projection: { silentMs: ageOf("at") }, sort: { at: -1 }, limit: 1 })
      .toArray(),
    makeDeliveryCounts(database).readState(),
    mongoTimeAgo(database, 0),
  ]);
  const times = [...oldestAt.values()].map((at) => at.getTime());
  return {
    sealed: docs.map(({ _id: destinationId, sealed }) => ({ destinationId, sealed })),
    notifierSilentMs: newest ? Number(newest.silentMs) : null,
    oldestEventMs: times.length > 0 ? now.getTime() - Math.min(...times) : null,
  };
}
