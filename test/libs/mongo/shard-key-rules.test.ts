// Which shard keys MongoDB accepts for the product's own collections and indexes. It rejects a key under which it could
// not keep a unique index.
import { afterAll, beforeAll, expect, test } from "vitest";
import { MongoClient } from "mongodb";
import { collections } from "#composition/collections.ts";
import { readShardKeys } from "#operations/store/read-shard-keys.ts";
import { indexNameOf, SHARD_KEYS, textOf } from "#operations/shard-keys.ts";
import type { ShardKey } from "#operations/ports.ts";
import { startShardedCluster, type ShardedCluster } from "../../support/sharded-cluster.ts";

let cluster: ShardedCluster;
beforeAll(async () => {
  cluster = await startShardedCluster();
});
afterAll(() => cluster.close());

let databases = 0;

/** Shards a collection with its indexes, as an administrator would. Returns how MongoDB notes it, and its indexes. */
async function shard({ collection, fields }: ShardKey): Promise<{ keys: ShardKey[]; indexes: string[] }> {
  const name = `rules-${(databases += 1)}`;
  const database = await cluster.createDatabase(name);
  const client = await new MongoClient(database.url).connect();
  try {
    const declared = collections.find((each) => each.name === collection);
    if (!declared) throw new Error(`no collection ${collection}`);
    const created = client.db().collection(collection);
    if (declared.indexes.length > 0) await created.createIndexes([...declared.indexes]);
    else await client.db().createCollection(collection);
    await database.shard(collection, fields);
    const indexes = (await created.indexes()).map((index) => index.name ?? "");
    return { keys: await readShardKeys(cluster.config, name), indexes };
  } finally {
    await client.close();
  }
}

test.each(SHARD_KEYS.map((key) => [textOf(key), key] as const))(
  "MongoDB accepts the supported shard key %s, with an index by it",
  async (_, key) => {
    const { keys, indexes } = await shard(key);
    // What `doctor` reads.
    expect(keys).toStrictEqual([key]);
    const isHashed = Object.values(key.fields).includes("hashed");
    if (isHashed) expect(indexes).toContain(indexNameOf(key));
  },
);

test.each<ShardKey>([
  { collection: "ledger", fields: { _id: 1 } },
  { collection: "ledger", fields: { _id: "hashed" } },
  { collection: "ledger", fields: { "_id.clanId": 1, "_id.platformId": 1, "_id.seq": 1 } },
  { collection: "ledger", fields: { "_id.platformId": 1 } },
  { collection: "batches", fields: { _id: 1 } },
  { collection: "accounts", fields: { _id: "hashed" } },
])("MongoDB rejects $collection by $fields, because it could not keep a unique index", async (key) => {
  await expect(shard(key)).rejects.toThrow(/unique index/);
});
