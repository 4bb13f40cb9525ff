// The collection of sessions: its documents and its index.
import { Schema } from "mongoose";
import { defineModel } from "#mongo/define-model.ts";
import { SCHEMA_OPTIONS } from "#mongo/schema-options.ts";

export type SessionDoc = {
  /** A digest: it cannot be used to sign in. */
  _id: string;
  accountName: string;
  generation: number;
  createdAt: Date;
  seenAt: Date;
  expiresAt: Date;
};

const sessionSchema = new Schema<SessionDoc>(
  {
    _id: { type: String, required: true },
    accountName: { type: String, required: true },
    generation: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    seenAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  SCHEMA_OPTIONS,
);
// MongoDB removes expired sessions, including the ended ones. Whether a session is live never depends on that.
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const sessionModel = defineModel<SessionDoc>("session", sessionSchema, "sessions");
