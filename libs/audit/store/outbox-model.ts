// Events of changes whose own records nothing may update later: written in the transaction of the change, and deleted
// when they have their numbers.
import { Schema } from "mongoose";
import { defineModel } from "#mongo/define-model.ts";
import type { EventBody } from "#domain/event.ts";
import { SCHEMA_OPTIONS } from "#mongo/schema-options.ts";

export type OutboxDoc = { clanId: string; at: Date; event: EventBody };

const outboxSchema = new Schema<OutboxDoc>(
  {
    clanId: { type: String, required: true },
    at: { type: Date, required: true },
    event: { type: Schema.Types.Mixed, required: true },
  },
  SCHEMA_OPTIONS,
);
// In turns between clans.
outboxSchema.index({ clanId: 1, _id: 1 });

export const outboxModel = defineModel<OutboxDoc>("outbox", outboxSchema, "outbox");
