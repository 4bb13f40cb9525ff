// The databases of worlds. An emptied one serves a later file: creating the collections and their indexes and dropping
// them costs MongoDB five times as much processor time (0.28 instead of 0.05 s, measured).
import { randomBytes } from "node:crypto";
import { existingIndexes } from "#mongo/index-conflicts.ts";
import type { Database } from "#mongo/database.ts";

/** With more documents than this, dropping the database is cheaper than deleting them. */
const DOCUMENTS_MAX = 20_000;

/** Of this worker of vitest, on the run's MongoDB. Each is empty and complete. */
const spare: string[] = [];

/** The name of an empty database that no other world uses. */
export function takeDatabase(): string {
  return spare.pop() ?? `test-${randomBytes(6).toString("hex")}`;
}

/** Nothing uses it any more. */
export async function giveBack(database: Database): Promise<void> {
  const isReusable = await isAsPrepared(database).catch(() => false);
  if (isReusable) await empty(database);
  else await database.connection.dropDatabase();
  if (isReusable) spare.push(database.db().databaseName);
}

/** A test may have created, changed or dropped anything. */
async function isAsPrepared({ collections, db }: Database): Promise<boolean> {
  const existing = await db().listCollections({}, { nameOnly: true }).toArray();
  const hasExtra = existing.some(({ name }) => !collections.some((declared) => declared.name === name));
  if (hasExtra) return false;
  const counts = await Promise.all(
    collections.map(async ({ name, indexes }) => {
      const found = await existingIndexes(db().collection(name));
      const isComplete = found.length === indexes.length + 1;
      return isComplete ? db().collection(name).estimatedDocumentCount() : Infinity;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) <= DOCUMENTS_MAX;
}

async function empty({ collections, db }: Database): Promise<void> {
  await Promise.all(collections.map(({ name }) => db().collection(name).deleteMany({})));
}
