// Reads how the collections of a database are sharded, from the metadata of the cluster.
import type { MongoClient } from "mongodb";
import type { ShardKey } from "#operations/ports.ts";

type CollectionDoc = { _id: string; key: ShardKey["fields"]; dropped?: boolean };

/** Through a router; `name`: of the database. Throws MongoDB's errors. */
export async function readShardKeys(client: MongoClient, name: string): Promise<ShardKey[]> {
  const prefix = `${name}.`;
  const docs = await client
    .db("config")
    .collection<CollectionDoc>("collections")
    // "/" is the character after ".".
    .find({ _id: { $gte: prefix, $lt: `${name}/` }, dropped: { $ne: true } })
    .sort({ _id: 1 })
    .toArray();
  return docs.map(({ _id, key }) => ({ collection: _id.slice(prefix.length), fields: key }));
}
