// What the notifier that holds a destination stores of it.
//
// Invariant: only the holder changes the position and the run state: each write names its token.
import type { ClientSession, Collection } from "mongodb";
import type { DestinationState } from "#domain/destination.ts";
import type { Database } from "#mongo/database.ts";
import { skipped, waitingDelivery, type DeliveryDoc } from "#delivery/store/delivery-model.ts";
import type { DestinationDoc } from "#delivery/store/destination-model.ts";
import type { OutboxDoc } from "#audit/store/outbox-model.ts";
import { rewrite } from "#mongo/mongo-calls.ts";
import { transaction } from "#mongo/transaction.ts";
import type { HeldBy, RunChange, RunStore } from "#delivery/ports.ts";

const DURABLE = { writeConcern: { w: "majority", journal: true } } as const;

/** The states in which a destination is sent to. */
const SENT_TO = ["active", "failing"] as const satisfies DestinationState[];

export function makeRunStore({ db }: Pick<Database, "db">): RunStore {
  const destinations = (): Collection<DestinationDoc> => db().collection<DestinationDoc>("destinations");
  const deliveries = (): Collection<DeliveryDoc> => db().collection<DeliveryDoc>("deliveries");

  /** Once it is disabled, a response that arrives later does not change its state any more. */
  async function update(held: HeldBy, set: object, more: object = {}, session?: ClientSession): Promise<boolean> {
    const options = session ? { session } : DURABLE;
    const filter = { ...isHeldBy(held), ...("state" in set ? { state: { $in: [...SENT_TO] } } : {}) };
    return (await destinations().updateOne(filter, { $set: set, ...more }, options)).matchedCount === 1;
  }

  const durably = (run: (session: ClientSession) => Promise<boolean>) => transaction({ db }, run, DURABLE);

  return {
    note: (held, change) => rewrite(() => update(held, setOf(change))),

    disable: (held, { reason, at }) =>
      durably(async (session) => {
        const isHeld = await update(held, { state: "disabled", stateReason: reason, since: at }, {}, session);
        if (!isHeld) return false;
        const { destinationId, clanId, name, kind } = held.destination;
        const data = { destinationId, name, kind, reason };
        const noted = { clanId, at, event: { type: "destination.disabled", data } } as const;
        await db().collection<OutboxDoc>("outbox").insertOne(noted, { session });
        return true;
      }),

    take: (held, { events, reached, missed }) =>
      durably(async (session) => {
        const more = missed > 0 ? { $inc: { missed } } : {};
        if (!(await update(held, { position: reached }, more, session))) return false;
        const docs = events.map((event) => waitingDelivery(held.destination.destinationId, event));
        // One that a person has sent again may be there.
        const writes = docs.map((doc) => {
          return { updateOne: { filter: { _id: doc._id }, update: { $setOnInsert: doc }, upsert: true } };
        });
        if (writes.length > 0) await deliveries().bulkWrite(writes, { session, ordered: false });
        return true;
      }),

    miss: (held, { numbers, reason }) =>
      durably(async (session) => {
        const { destinationId } = held.destination;
        const waiting = { _id: { $in: numbers.map((n) => ({ destinationId, n })) }, state: "waiting" } as const;
        const missed = await deliveries().countDocuments({ ...waiting, again: { $ne: true } }, { session });
        if (!(await update(held, {}, { $inc: { missed } }, session))) return false;
        await deliveries().updateMany(waiting, skipped(reason), { session });
        return true;
      }),
  };
}

function isHeldBy({ destination, token, rev }: HeldBy) {
  return { _id: destination.destinationId, "holder.token": token, rev };
}

function setOf(change: RunChange): object {
  const { state, stateReason, since, lastDeliveredAt, ...run } = change;
  const facts = Object.entries({ state, stateReason, since, lastDeliveredAt });
  return {
    ...Object.fromEntries<unknown>(facts.filter(([, value]) => value !== undefined)),
    ...Object.fromEntries<unknown>(Object.entries(run).map(([name, value]) => [`run.${name}`, value])),
  };
}
