// The collection of deliveries: what became of each event for each destination. It names no member: the event does.
import { Schema, type ClientSession, type Model } from "mongoose";
import { defineModel } from "#mongo/define-model.ts";
import type { Attempt, Delivery, DeliveryState } from "#domain/destination.ts";
import type { ClanEvent, EventType } from "#domain/event.ts";
import { SCHEMA_OPTIONS } from "#mongo/schema-options.ts";

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

const deliverySchema = new Schema<DeliveryDoc>(
  {
    _id: { type: new Schema({ destinationId: String, n: Number }, { _id: false }), required: true },
    eventId: { type: String, required: true },
    type: { type: String, required: true },
    at: { type: Date, required: true },
    state: { type: String, required: true },
    tried: { type: Number, required: true },
    attempts: [Schema.Types.Mixed],
    nextAt: { type: Date, default: null },
    reason: { type: String, default: null },
    again: Boolean,
    endedAt: Date,
  },
  SCHEMA_OPTIONS,
);
/** Those of a destination that wait, that have failed, … */
export const BY_STATE = { "_id.destinationId": 1, state: 1, "_id.n": 1 } as const;
deliverySchema.index(BY_STATE);
// Deletion by age.
deliverySchema.index({ endedAt: 1 }, { partialFilterExpression: { endedAt: { $exists: true } } });

export const deliveryModel = defineModel<DeliveryDoc>("delivery", deliverySchema, "deliveries");

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
  deliveries: Model<DeliveryDoc>,
  { destinationId, reason, session }: { destinationId: string; reason: string; session: ClientSession },
): Promise<void> {
  const waiting = { "_id.destinationId": destinationId, state: "waiting" } as const;
  await deliveries.collection.updateMany(waiting, skipped(reason), { session, hint: BY_STATE });
}

export function skipped(reason: string): object[] {
  return [{ $set: { state: "skipped", reason: { $literal: reason }, nextAt: null, endedAt: "$$NOW" } }];
}
