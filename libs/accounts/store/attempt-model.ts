// The collection of attempts to sign in: its documents and its index.
import { Schema } from "mongoose";
import { defineModel } from "#mongo/define-model.ts";
import { SCHEMA_OPTIONS } from "#mongo/schema-options.ts";

/** The number of attempts to sign in to an account, or from an address, in the current window. */
export type AttemptDoc = { _id: string; count: number; expiresAt: Date };

const attemptSchema = new Schema<AttemptDoc>(
  {
    _id: { type: String, required: true },
    count: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  SCHEMA_OPTIONS,
);
attemptSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const attemptModel = defineModel<AttemptDoc>("attempt", attemptSchema, "sign_in_attempts");
