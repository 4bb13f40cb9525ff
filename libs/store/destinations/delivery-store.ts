// Deliveries: the log that people read, and the record of the notifier that sends them.
import type { mongo } from "mongoose";
import type { Attempt } from "#domain/destination.ts";
import { ATTEMPTS_STORED_MAX } from "#store/bounds.ts";
import type { Database } from "#store/database.ts";
import { makeDeliveryCounts } from "#store/destinations/delivery-counts.ts";
import { deliveryOfDoc, numbered, type DeliveryDoc } from "#store/destinations/delivery-model.ts";
import { makeResendDeliveries } from "#store/destinations/resend-deliveries.ts";
import { MAJORITY } from "#store/events/positions.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import { mongoTimeAgo } from "#store/mongo-time.ts";
import type { DeliveryLog, DeliveryRecord, DeliveryResult } from "#usecases/destinations/ports.ts";

export function makeDeliveryStore({
  db,
  models,
  connection,
}: Pick<Database, "db" | "models" | "connection">): DeliveryLog & DeliveryRecord {
  const deliveries = (): mongo.Collection<DeliveryDoc> => db().collection<DeliveryDoc>("deliveries");

  return {
    page: (destinationId, { states, before, limit }) =>
      read(async () => {
        const filter = states
          ? { "_id.destinationId": destinationId, state: { $in: storedStates(states) }, ...below(before) }
          : numbered(destinationId, 0, before === null ? Infinity : before - 1);
        const sort = states ? ({ "_id.n": -1 } as const) : ({ _id: -1 } as const);
        const docs = await deliveries()
          .find(filter, { limit: limit + 1, sort })
          .toArray();
        const items = docs.slice(0, limit).map(deliveryOfDoc);
        return { items, next: docs.length > limit ? (items.at(-1)?.n ?? null) : null };
      }),

    listWaiting: (destinationId, limit, after = 0) =>
      read(async () => {
        const waiting = { "_id.destinationId": destinationId, state: "waiting", "_id.n": { $gt: after } } as const;
        const docs = await deliveries()
          .find(waiting, { ...MAJORITY, limit, sort: { "_id.n": 1 } })
          .toArray();
        return docs.map((doc) => ({ ...deliveryOfDoc(doc), tried: doc.tried, again: doc.again ?? false }));
      }),

    listFailed: (destinationId, after, limit) =>
      read(async () => {
        const failed = { "_id.destinationId": destinationId, state: "failed", "_id.n": { $gt: after } } as const;
        const options = { limit, sort: { "_id.n": 1 }, projection: { _id: 1 } } as const;
        return (await deliveries().find(failed, options).toArray()).map(({ _id }) => _id.n);
      }),

    resend: makeResendDeliveries({ db, models, connection }),

    counts: makeDeliveryCounts({ db }).counts,

    async record(destinationId, results) {
      await rewrite(() =>
        deliveries().bulkWrite(
          results.map((result) => writeOf(destinationId, result)),
          { ordered: false },
        ),
      );
    },

    deleteOld: ({ olderThanMs, limit }) =>
      rewrite(async () => {
        const old = { endedAt: { $lt: await mongoTimeAgo({ db }, olderThanMs) } };
        const docs = await deliveries()
          .find(old, { projection: { _id: 1 }, sort: { endedAt: 1 }, limit })
          .toArray();
        if (docs.length > 0) await deliveries().deleteMany({ ...old, _id: { $in: docs.map(({ _id }) => _id) } });
        return docs.length;
      }),
  };
}

function storedStates(states: readonly string[]): DeliveryDoc["state"][] {
  return [...new Set(states.map((state) => (state === "held" ? "waiting" : state)))] as DeliveryDoc["state"][];
}

function below(before: number | null): object {
  return before === null ? {} : { "_id.n": { $lt: before } };
}

/** Only while it waits: a person may have skipped it, or sent it again. An attempt is stored in any case. */
function writeOf(destinationId: string, result: DeliveryResult): mongo.AnyBulkWriteOperation<DeliveryDoc> {
  const { n, state, attempt, tried, counts, nextAt, reason } = result;
  const isWaiting = { $and: [{ $eq: ["$state", "waiting"] }, { $eq: ["$tried", tried ?? "$tried"] }] };
  const unlessEnded = (value: unknown, field: string) => ({ $cond: [isWaiting, value, `$${field}`] });
  const isEnd = state !== "waiting";
  const attempts = {
    $slice: [{ $concatArrays: ["$attempts", attempt ? [literalOf(attempt)] : []] }, -ATTEMPTS_STORED_MAX],
  };
  const set = {
    attempts,
    tried: unlessEnded({ $add: ["$tried", counts ? 1 : 0] }, "tried"),
    nextAt: unlessEnded(nextAt, "nextAt"),
    reason: unlessEnded({ $literal: reason }, "reason"),
    ...(isEnd ? { endedAt: unlessEnded("$$NOW", "endedAt") } : {}),
    state: unlessEnded({ $literal: state }, "state"),
  };
  return { updateOne: { filter: { _id: { destinationId, n } }, update: [{ $set: set }] } };
}

/** A response may contain anything, also what MongoDB would evaluate. */
function literalOf(attempt: Attempt): object {
  return { $literal: attempt };
}
