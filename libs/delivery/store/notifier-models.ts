// The collections of notifiers that are alive, and of what people ask them to do.
import { Schema } from "mongoose";
import { defineModel } from "#mongo/define-model.ts";
import { SCHEMA_OPTIONS } from "#mongo/schema-options.ts";
import type { Call, CallResult } from "#delivery/call-ports.ts";

/** `leaseId`: of its lease, which was renewed at this time, by MongoDB's clock. */
export type NotifierDoc = { _id: string; leaseId: string; at: Date };

/** `destinationId`: only its holder may take the call; null: any notifier. `takenBy`: the notifier that answers it. */
export type CallDoc = {
  _id: string;
  at: Date;
  destinationId: string | null;
  call: Call;
  takenBy: string | null;
  result: CallResult | null;
};

/** The asking process has deleted it long before, unless it crashed; a result may name members. */
const CALL_STORED_S = 300;

const notifierSchema = new Schema<NotifierDoc>(
  {
    _id: { type: String, required: true },
    leaseId: { type: String, required: true },
    at: { type: Date, required: true },
  },
  SCHEMA_OPTIONS,
);

const callSchema = new Schema<CallDoc>(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    destinationId: { type: String, default: null },
    call: { type: Schema.Types.Mixed, required: true },
    takenBy: { type: String, default: null },
    result: { type: Schema.Types.Mixed, default: null },
  },
  SCHEMA_OPTIONS,
);
callSchema.index({ at: 1 }, { expireAfterSeconds: CALL_STORED_S });

export const notifierModel = defineModel<NotifierDoc>("notifier", notifierSchema, "notifiers");
export const callModel = defineModel<CallDoc>("call", callSchema, "calls");
