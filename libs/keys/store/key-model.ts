// The collection of API keys: its documents, their conversion, and its indexes, each with the query that needs it.
import { index } from "#mongo/collection.ts";
import { KEY_LIMITS_DEFAULT } from "#domain/key-limits.ts";
import type { Key } from "#domain/key.ts";

export type KeyDoc = { _id: string } & Omit<Key, "keyId">;

export const KEYS = {
  name: "keys",
  indexes: [
    // A clan's keys, for lists and for counting the live ones.
    index({ clanId: 1 }),
    // The keys that expire next, for the metric that warns of them.
    index({ expiresAt: 1 }),
  ],
};

export function keyOfDoc({ _id, ...facts }: KeyDoc): Key {
  // A key that is older than the limits has the default ones.
  return { keyId: _id, ...facts, limits: { ...KEY_LIMITS_DEFAULT, ...facts.limits } };
}

export function docOfKey({ keyId, ...facts }: Key): KeyDoc {
  return { _id: keyId, ...facts };
}
