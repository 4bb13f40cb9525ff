// The shard keys with which a sharded cluster is supported: MongoDB keeps the unique indexes that ensure that an award
// is applied once, and statements on members and entries name the key. All other collections stay unsharded.
import type { ShardKey } from "#operations/ports.ts";

export const SHARD_KEYS: readonly ShardKey[] = [
  // One clan is on one shard.
  { collection: "ledger", fields: { "_id.clanId": "hashed" } },
  { collection: "ledger", fields: { "_id.clanId": 1 } },
  // For a clan that outgrows a shard.
  { collection: "ledger", fields: { "_id.clanId": 1, "_id.platformId": 1 } },
  { collection: "members", fields: { _id: 1 } },
];

export function isSupported(key: ShardKey): boolean {
  return SHARD_KEYS.some((supported) => textOf(supported) === textOf(key));
}

/** As people write it: `ledger by _id.clanId (hashed)`. */
export function textOf({ collection, fields }: ShardKey): string {
  const names = Object.entries(fields).map(([name, kind]) => (Number(kind) === 1 ? name : `${name} (${String(kind)})`));
  return `${collection} by ${names.join(", ")}`;
}

/** The name that MongoDB gives to the index of a shard key. */
export function indexNameOf({ fields }: ShardKey): string {
  return Object.entries(fields).flat().join("_");
}
