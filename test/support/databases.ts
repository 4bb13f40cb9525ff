// The databases of worlds. An emptied one serves a later file: creating the collections and their indexes and dropping
// them costs MongoDB ten times as much processor time (0.28 instead of 0.03 s, measured).
import { randomBytes } from "node:crypto";
import { existingIndexes, isAsDeclared } from "#mongo/index-conflicts.ts";
import type { DeclaredIndex } from "#mongo/collection.ts";
import type { Database } from "#mongo/database.ts";

/** With more documents than this, dropping the database is cheaper than deleting them. */
const DOCUMENTS_MAX = 20_000;
/** Of the product, without indexes: created by the first write to it. */
const UNDECLARED = ["meta", "processes"];

/** Of this worker of vitest, on the run's MongoDB. Each is empty and complete. */
const spare: string[] = [];

/** The name of an empty database that no other world uses. */
export function takeDatabase(): string {
  return spare.pop() ?? newDatabase();
}

export function newDatabase(): string {
  return `test-${randomBytes(6).toString("hex")}`;
}

/** Nothing uses it any more. */
export async function giveBack(database: Database): Promise<void> {
  if (!(await isAsPrepared(database))) {
    await database.db().dropDatabase();
    return;
  }
  const names = [...database.collections.map(({ name }) => name), ...UNDECLARED];
  await Promise.all(names.map((name) => database.db().collection(name).deleteMany({})));
  spare.push(database.db().databaseName);
}

/** A test may have created, changed or dropped anything. */
async function isAsPrepared({ collections, db }: Database): Promise<boolean> {
  const existing = await db().listCollections({}, { nameOnly: true }).toArray();
  const known = new Set([...collections.map(({ name }) => name), ...UNDECLARED]);
  if (existing.some(({ name }) => !known.has(name))) return false;
  const counts = await Promise.all(
    collections.map(async ({ name, indexes }) => {
      const found = await existingIndexes(db().collection(name));
      const hasOwn = (index: DeclaredIndex): boolean =>
        found.some((other) => other.name === index.name && isAsDeclared(other, index));
      const isUnchanged = indexes.every(hasOwn) && found.length === indexes.length + 1;
      return isUnchanged ? db().collection(name).estimatedDocumentCount() : Infinity;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) <= DOCUMENTS_MAX;
}
