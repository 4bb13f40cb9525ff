// The size of each collection, from MongoDB's own statistics: nothing is counted or scanned.
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { read } from "#mongo/mongo-calls.ts";
import type { CollectionSize } from "#operations/ports.ts";

type Stats = {
  storageStats: { count: number | bigint; storageSize: number | bigint; totalIndexSize: number | bigint };
};

/** Throws AppError `unavailable`. */
export function makeReadSizes({
  db,
  collections,
}: Pick<Database, "db" | "collections">): () => Promise<CollectionSize[]> {
  const names = collections.map(({ name }) => name);

  function sizeOf(collection: string): Promise<CollectionSize> {
    return read(async () => {
      const options = { maxTimeMS: ANSWER_MS_MAX };
      // A sharded collection has one document for each shard.
      const found = await db()
        .collection(collection)
        .aggregate<Stats>([{ $collStats: { storageStats: {} } }], options)
        .toArray();
      const sum = (numberIn: (stats: Stats["storageStats"]) => number | bigint): number =>
        found.reduce((total, { storageStats }) => total + Number(numberIn(storageStats)), 0);
      return {
        collection,
        documents: sum(({ count }) => count),
        bytes: sum(({ storageSize }) => storageSize) + sum(({ totalIndexSize }) => totalIndexSize),
      };
    });
  }

  return async () => {
    const sizes: CollectionSize[] = [];
    // One after the other: no caller waits for it, and awards take precedence.
    for (const name of names) sizes.push(await sizeOf(name));
    return sizes;
  };
}
