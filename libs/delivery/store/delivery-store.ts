// Deliveries: the log that people read, and the record of the notifier that sends them.
import type { AnyBulkWriteOperation, Collection } from "mongodb";
import type { Attempt } from "#domain/destination.ts";
import { ATTEMPTS_STORED_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { deleteOld } from "#mongo/delete-old.ts";
import { makeDeliveryCounts } from "#delivery/store/delivery-counts.ts";
import { deliveryOfDoc, numbered, type DeliveryDoc } from "#delivery/store/delivery-model.ts";
import { makeResendDeliveries } from "#delivery/store/resend-deliveries.ts";
import { MAJORITY, read, rewrite } from "#mongo/mongo-calls.ts";
import type { DeliveryLog, DeliveryRecord, DeliveryResult } from "#delivery/ports.ts";

export function makeDeliveryStore({ db }: Pick<Database, "db">): DeliveryLog & DeliveryRecord {
  const deliveries = (): Collection<DeliveryDoc> => db().collection<DeliveryDoc>("deliveries");

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

    resend: makeResendDeliveries({ db }),

    counts: makeDeliveryCounts({ db }).counts,

    record: (destinationId, results) =>
      rewrite(async () => {
        const writes = results.map((result) => writeOf(destinationId, result));
        const { matchedCount } = await deliveries().bulkWrite(writes, { ordered: false });
        if (matchedCount === results.length) return true;
        const made = results.filter(({ attempt }) => attempt !== null);
        if (made.length > 0) await deliveries().bulkWrite(made.map((one) => attemptOf(destinationId, one)));
        return false;
      }),

    deleteOld: (options) => deleteOld({ db }, "deliveries", "endedAt", options),
  };
}

function storedStates(states: readonly string[]): DeliveryDoc["state"][] {
  return [...new Set(states.map((state) => (state === "held" ? "waiting" : state)))] as DeliveryDoc["state"][];
}

function below(before: number | null): object {
  return before === null ? {} : { "_id.n": { $lt: before } };
}

/** Only while it waits as it did: a person may have skipped it, or sent it again, and a late write have counted it. */
function writeOf(destinationId: string, result: DeliveryResult): AnyBulkWriteOperation<DeliveryDoc> {
  const { n, state, attempt, tried, counts, nextAt, reason } = result;
  const filter = { _id: { destinationId, n }, state: "waiting" as const, ...(tried === null ? {} : { tried }) };
  const set = {
    attempts: withAttempt(attempt),
    tried: { $add: ["$tried", counts ? 1 : 0] },
    nextAt,
    reason: { $literal: reason },
    ...(state === "waiting" ? {} : { endedAt: "$$NOW" }),
    state: { $literal: state },
  };
  return { updateOne: { filter, update: [{ $set: set }] } };
}

/** The attempt alone, which was made in any case; once. */
function attemptOf(destinationId: string, result: DeliveryResult): AnyBulkWriteOperation<DeliveryDoc> {
  const { n, attempt } = result;
  const isStored = { $in: [attempt && literalOf(attempt), "$attempts"] };
  const attempts = { $cond: [isStored, "$attempts", withAttempt(attempt)] };
  return { updateOne: { filter: { _id: { destinationId, n } }, update: [{ $set: { attempts } }] } };
}

function withAttempt(attempt: Attempt | null): object {
  return { $slice: [{ $concatArrays: ["$attempts", attempt ? [literalOf(attempt)] : []] }, -ATTEMPTS_STORED_MAX] };
}

/** A response may contain anything, also what MongoDB would evaluate. */
function literalOf(attempt: Attempt): object {
  return { $literal: attempt };
}
