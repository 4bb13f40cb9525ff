// Creates the collections and their indexes before the first write: entries must not be written without the unique
// indexes.
//
// A database user may lack the right to create them (docs/how-to/database-users.md). Then they must already exist and
// be complete.
import { MongoServerError, type Collection, type Db } from "mongodb";
import { chunks } from "#async/chunks.ts";
import { AppError } from "#kernel/app-error.ts";
import type { DeclaredCollection, DeclaredIndex } from "#mongo/collection.ts";
import { existingIndexes, indexesInTheWay, isAsDeclared } from "#mongo/index-conflicts.ts";
import { isExistingCollection, isDuplicateKey, isIndexConflict, isNotAuthorized } from "#mongo/mongo-errors.ts";

/**
 * Each needs a connection, whose authentication costs more than the indexes of a collection that exists: with three
 * instead of ten, a start takes 23 instead of 32 ms and two thirds of the CPU time, and the first one no longer.
 */
const PREPARED_TOGETHER = 3;

/** Throws an AppError without a cause, with what to do, if an index can never be built beside what exists. */
export async function prepareCollections(db: Db, collections: readonly DeclaredCollection[]): Promise<void> {
  for (const group of chunks(collections, PREPARED_TOGETHER))
    await Promise.all(group.map((declared) => prepareCollection(db, declared)));
}

/** Afterwards it exists, unless MongoDB rejected it: then the command that creates its indexes says why. */
async function createWithOptions(db: Db, { name, options }: DeclaredCollection): Promise<void> {
  if (!options) return;
  try {
    await db.createCollection(name, options);
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
  }
}

/** All indexes by one command, which creates the collection too: half the time of one command each (measured). */
async function prepareCollection(db: Db, declared: DeclaredCollection): Promise<void> {
  const { name, indexes } = declared;
  await createWithOptions(db, declared);
  const collection = db.collection(name);
  try {
    if (indexes.length === 0) await db.createCollection(name);
    else await collection.createIndexes([...indexes]);
  } catch (error) {
    if (isIndexConflict(error)) await buildEach(collection, indexes);
    else if (isExistingCollection(error)) return;
    else if (!isNotAuthorized(error) || !(await isPrepared(db, collection, indexes))) throw error;
  }
}

/** One by one, to learn which of them cannot be built. */
async function buildEach(collection: Collection, indexes: readonly DeclaredIndex[]): Promise<void> {
  const faults: string[] = [];
  for (const index of indexes) {
    try {
      await collection.createIndexes([index]);
    } catch (error) {
      if (!isIndexConflict(error)) throw error;
      const others = indexesInTheWay(index, await collection.indexes());
      faults.push(faultOf(collection.collectionName, index, isDuplicateKey(error), others));
    }
  }
  // The error of MongoDB quotes the values of documents.
  if (faults.length > 0) throw new AppError("unavailable", `${faults.join(" ")} Then start this process again.`);
}

function faultOf(collection: string, index: DeclaredIndex, isDuplicate: boolean, others: string[]): string {
  const what = `MongoDB cannot build the index ${index.name} of the collection ${collection}`;
  const fields = Object.keys(index.key).join(", ");
  if (isDuplicate)
    return `${what}: several documents have the same ${fields}. Remove all but one of them (clanxp reconcile names entries of the ledger).`;
  const inTheWay = others.length > 0 ? others : [index.name];
  const drops = inTheWay.map((name) => `db.${collection}.dropIndex("${name}")`);
  return `${what}: the index ${inTheWay.join(", ")} is in its place. Drop it: ${drops.join(", ")}.`;
}

async function isPrepared(db: Db, collection: Collection, indexes: readonly DeclaredIndex[]): Promise<boolean> {
  const existing = await existingIndexes(collection);
  const exists = (index: DeclaredIndex): boolean => existing.some((other) => isAsDeclared(other, index));
  return indexes.every(exists) && (await isBuilt(db, collection.collectionName));
}

/** An index that is still being built is listed like any other, but does not enforce uniqueness yet. */
async function isBuilt(db: Db, name: string): Promise<boolean> {
  const { cursor } = await db.command({ listIndexes: name, includeBuildUUIDs: true });
  return (cursor as { firstBatch: { buildUUID?: unknown }[] }).firstBatch.every(
    ({ buildUUID }) => buildUUID === undefined,
  );
}
