// The collection of events that follow from changes by people and have no number yet. Each is written with the audit
// record of its change, which nobody may change afterwards (deploy/mongo/roles.js).
import { Schema, type Connection, type Model } from "mongoose";
import type { EventBody } from "#domain/event.ts";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";

/** `at`: the time of the change. */
export type OutboxDoc = { clanId: string; at: Date; event: EventBody };

const outboxSchema = new Schema<OutboxDoc>(
  {
    clanId: { type: String, required: true },
    at: { type: Date, required: true },
    event: { type: Schema.Types.Mixed, required: true },
  },
  SCHEMA_OPTIONS,
);
// The events of a clan, and the next clan that has any.
outboxSchema.index({ clanId: 1, _id: 1 });

export function makeOutboxModel(connection: Connection): Model<OutboxDoc> {
  return connection.model<OutboxDoc>("outbox", outboxSchema, "outbox");
}
