// The collection of deliveries: what became of each event for each destination. It names no member: the event does.
import type { ClientSession, Collection } from "mongodb";
import { index } from "#mongo/collection.ts";
import type { Attempt, Delivery, DeliveryState } from "#domain/destination.ts";
import type { ClanEvent, EventType } from "#domain/event.ts";

/**
 * `n`: the number of the event. `tried`: attempts that count. `again`: sent once more by a person. `endedAt`: when it
 * ended, by MongoDB's clock; absent while it waits.
 */
export type DeliveryDoc = {
  _id: { destinationId: string; n: number };
  eventId: string;
  type: EventType;
  at: Date;
  state: Exclude<DeliveryState, "held">;
  tried: number;
  attempts: Attempt[];
  nextAt: Date | null;
  reason: string | null;
  again?: boolean;
  endedAt?: Date;
};

/** Those of a destination that wait, that have failed, … */
export const BY_STATE = { "_id.destinationId": 1, state: 1, "_id.n": 1 } as const;

export const DELIVERIES = {
  name: "deliveries",
  indexes: [
    index(BY_STATE),
    // Deletion by age.
    index({ endedAt: 1 }, { partialFilterExpression: { endedAt: { $exists: true } } }),
  ],
};

/** Of a destination, with the numbers above `after` and up to `to`. */
export function numbered(destinationId: string, after: number, to: number) {
  return { _id: { $gt: { destinationId, n: after }, $lte: { destinationId, n: to } } };
}

export function waitingDelivery(destinationId: string, { n, eventId, type, at }: ClanEvent): DeliveryDoc {
  const facts = { eventId, type, at, state: "waiting", tried: 0, attempts: [], nextAt: null, reason: null } as const;
  return { _id: { destinationId, n }, ...facts, attempts: [] };
}

export function deliveryOfDoc({ _id, eventId, type, at, state, attempts, nextAt, reason }: DeliveryDoc): Delivery {
  return { ..._id, eventId, type, at, state, attempts, nextAt, reason };
}

/** Those that wait are skipped. What has ended is deleted by age, even if the destination does not exist any more. */
export async function endWaiting(
  deliveries: Collection<DeliveryDoc>,
  { destinationId, reason, session }: { destinationId: string; reason: string; session: ClientSession },
): Promise<void> {
  const waiting = { "_id.destinationId": destinationId, state: "waiting" } as const;
  await deliveries.updateMany(waiting, skipped(reason), { session, hint: BY_STATE });
}

export function skipped(reason: string): object[] {
  return [{ $set: { state: "skipped", reason: { $literal: reason }, nextAt: null, endedAt: "$$NOW" } }];
}
