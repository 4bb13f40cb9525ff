// How far destinations are: events that were not tried yet, and deliveries that wait or have failed.
import type { Collection } from "mongodb";
import { isRoleKind, type DestinationKind, type DestinationState } from "#domain/destination.ts";
import { BEHIND_EXAMINED_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { BY_STATE, type DeliveryDoc } from "#delivery/store/delivery-model.ts";
import type { DestinationDoc } from "#delivery/store/destination-model.ts";
import { wantedFilter } from "#delivery/store/wanted-filter.ts";
import type { EventDoc } from "#events/store/event-model.ts";
import { between, endmost } from "#events/store/positions.ts";
import { MAJORITY, read } from "#mongo/mongo-calls.ts";
import type { CountsOf, DeliveryLog } from "#delivery/ports.ts";

/** `oldestAt`: the time of the oldest event that an active destination of the kind has not been sent. */
export type DeliveriesState = {
  destinations: { kind: DestinationKind; state: DestinationState; count: number }[];
  oldestAt: ReadonlyMap<DestinationKind, Date>;
};

/** What of a destination shows how far it is. */
const PLACED = { clanId: 1, kind: 1, types: 1, only: 1, position: 1 } as const;
type Placed = Pick<DestinationDoc, "_id" | keyof typeof PLACED>;

const waitingOf = (destinationId: string) => ({ "_id.destinationId": destinationId, state: "waiting" }) as const;
const untriedOf = (destinationId: string) => ({ ...waitingOf(destinationId), "attempts.0": { $exists: false } });
const TIME = { projection: { at: 1 } } as const;

/** `examinedMax`: events that are looked at to count how far a destination is behind. */
export function makeDeliveryCounts(
  { db }: Pick<Database, "db">,
  { examinedMax = BEHIND_EXAMINED_MAX } = {},
): Pick<DeliveryLog, "counts"> & {
  readState(): Promise<DeliveriesState>;
} {
  const deliveries = (): Collection<DeliveryDoc> => db().collection<DeliveryDoc>("deliveries");
  const destinations = (): Collection<DestinationDoc> => db().collection<DestinationDoc>("destinations");
  const events = (): Collection<EventDoc> => db().collection<EventDoc>("events");

  /** Of the next `examinedMax` stored events: those that the destination receives may be rare among a clan's. */
  async function behindOf(doc: Placed): Promise<object> {
    const { clanId, position } = doc;
    const oldest = (await endmost(events(), clanId, 1))?._id.n ?? 1;
    const from = Math.max(position === "oldest" ? 0 : position.n, oldest - 1);
    return { ...between(clanId, from, from + examinedMax), ...wantedFilter(doc) };
  }

  async function countsOf(doc: Placed): Promise<CountsOf> {
    const count = (filter: object): Promise<number> => deliveries().countDocuments(filter, { hint: BY_STATE });
    const isMessages = !isRoleKind(doc.kind);
    const further = isMessages ? await behindOf(doc) : null;
    const [waiting, failed, untried, behind, oldestAt] = await Promise.all([
      count(waitingOf(doc._id)),
      count({ "_id.destinationId": doc._id, state: "failed" }),
      count(untriedOf(doc._id)),
      further ? events().countDocuments(further, MAJORITY) : 0,
      further ? oldestUntried(doc, further) : null,
    ]);
    return { waiting, failed, untried: { count: untried + behind, oldestAt } };
  }

  /** The time of the oldest event that was not tried yet, taken or not. */
  async function oldestUntried(doc: Placed, further: object): Promise<Date | null> {
    const [taken, behind] = await Promise.all([
      deliveries().findOne(untriedOf(doc._id), { ...TIME, sort: { "_id.n": 1 } }),
      events().findOne(further, { ...MAJORITY, ...TIME, sort: { _id: 1 } }),
    ]);
    return taken?.at ?? behind?.at ?? null;
  }

  return {
    counts: (destinationIds) =>
      read(async () => {
        const among = { _id: { $in: [...destinationIds] } };
        const docs = await destinations().find<Placed>(among, { projection: PLACED }).toArray();
        return new Map(await Promise.all(docs.map(async (doc) => [doc._id, await countsOf(doc)] as const)));
      }),

    async readState() {
      const states = await read(() =>
        destinations()
          .aggregate<{ _id: { kind: DestinationKind; state: DestinationState }; count: number }>([
            { $group: { _id: { kind: "$kind", state: "$state" }, count: { $sum: 1 } } },
          ])
          .toArray(),
      );
      const active = await read(() =>
        destinations().find<Placed>({ state: "active" }, { projection: PLACED }).toArray(),
      );
      const oldestAt = new Map<DestinationKind, Date>();
      // One after the other: on a scrape, nothing is in a hurry.
      for (const doc of active.filter(({ kind }) => !isRoleKind(kind))) {
        const at = await read(async () => oldestUntried(doc, await behindOf(doc)));
        if (at && at < (oldestAt.get(doc.kind) ?? Infinity)) oldestAt.set(doc.kind, at);
      }
      return { destinations: states.map(({ _id, count }) => ({ ..._id, count })), oldestAt };
    },
  };
}
