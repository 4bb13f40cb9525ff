// Creates the collections and their indexes before the first write: entries must not be written without the unique
// indexes.
//
// A database user may lack the right to create them (docs/how-to/database-users.md). Then they must already exist and
// be complete.
import type { mongo } from "mongoose";
import { isNotAuthorized } from "#store/mongo-errors.ts";
import type { Models } from "#store/models.ts";

export async function prepareCollections(models: Models): Promise<void> {
  await Promise.all(Object.values(models).map(prepareCollection));
}

/** All indexes by one command, which creates the collection too: half the time of one command each (measured). */
async function prepareCollection(model: Models[keyof Models]): Promise<void> {
  // Mongoose types the keys of an index more widely than the driver does.
  const indexes = model.schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
  try {
    if (indexes.length === 0) await model.createCollection();
    else await model.collection.createIndexes(indexes);
  } catch (error) {
    if (!isNotAuthorized(error) || !(await isPrepared(model))) throw error;
  }
}

async function isPrepared(model: Models[keyof Models]): Promise<boolean> {
  const { toCreate } = await model.diffIndexes();
  return toCreate.length === 0 && (await isBuilt(model));
}

/** An index that is still being built is listed like any other, but does not enforce uniqueness yet. */
async function isBuilt({ db, collection }: Models[keyof Models]): Promise<boolean> {
  const reply = await db.db?.command({ listIndexes: collection.collectionName, includeBuildUUIDs: true });
  const listed = reply?.["cursor"] as { firstBatch: { buildUUID?: unknown }[] } | undefined;
  return listed !== undefined && listed.firstBatch.every(({ buildUUID }) => buildUUID === undefined);
}
