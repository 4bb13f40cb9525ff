// The collection of API keys: its documents, their conversion, and its indexes, each with the query that needs it.
import { Schema } from "mongoose";
import { defineModel } from "#mongo/define-model.ts";
import { KEY_LIMITS_DEFAULT } from "#domain/key-limits.ts";
import type { Key } from "#domain/key.ts";
import { SCHEMA_OPTIONS } from "#mongo/schema-options.ts";

export type KeyDoc = { _id: string } & Omit<Key, "keyId">;

const keySchema = new Schema<KeyDoc>(
  {
    _id: { type: String, required: true },
    clanId: { type: String, required: true },
    name: { type: String, required: true },
    hash: { type: String, required: true },
    hint: { type: String, required: true },
    scopes: { type: [String], required: true },
    limits: {
      type: new Schema(
        { requestsPerSecond: Number, awardsPerSecond: Number, amountMax: Number, xpPerDay: Number },
        { _id: false },
      ),
      required: true,
    },
    createdAt: { type: Date, required: true },
    expiresAt: Date,
    revokedAt: Date,
    replacedBy: String,
    lastUsedAt: Date,
  },
  SCHEMA_OPTIONS,
);
// A clan's keys, for lists and for counting the live ones.
keySchema.index({ clanId: 1 });
// The keys that expire next, for the metric that warns of them.
keySchema.index({ expiresAt: 1 });

export function keyOfDoc({ _id, ...facts }: KeyDoc): Key {
  // A key that is older than the limits has the default ones.
  return { keyId: _id, ...facts, limits: { ...KEY_LIMITS_DEFAULT, ...facts.limits } };
}

export function docOfKey({ keyId, ...facts }: Key): KeyDoc {
  return { _id: keyId, ...facts };
}

export const keyModel = defineModel<KeyDoc>("key", keySchema, "keys");
