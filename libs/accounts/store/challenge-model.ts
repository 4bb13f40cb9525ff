// The collection of challenges: its documents and its index.
import { Schema } from "mongoose";
import { defineModel } from "#mongo/define-model.ts";
import type { ChallengeKind } from "#accounts/ports.ts";
import { SCHEMA_OPTIONS } from "#mongo/schema-options.ts";

/**
 * A challenge for a person. Only the digest of their cookie's text is stored; the challenge is derived from that text.
 */
export type ChallengeDoc = { _id: string; kind: ChallengeKind; accountName: string | null; expiresAt: Date };

const challengeSchema = new Schema<ChallengeDoc>(
  {
    _id: { type: String, required: true },
    kind: { type: String, required: true },
    accountName: String,
    expiresAt: { type: Date, required: true },
  },
  SCHEMA_OPTIONS,
);
challengeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const challengeModel = defineModel<ChallengeDoc>("challenge", challengeSchema, "sign_in_challenges");
