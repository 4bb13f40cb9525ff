// Declared indexes that MongoDB cannot build beside what a collection contains: another index has their fields or their
// name, or several documents have the same values. Trying again does not help.
import type { Collection, IndexDescriptionInfo } from "mongodb";
import type { DeclaredIndex } from "#mongo/collection.ts";
import { DUPLICATE_SCAN_MS } from "#mongo/bounds.ts";
import { isNoCollection, isTimeExceeded } from "#mongo/mongo-errors.ts";

/** None of a collection that does not exist. */
export async function existingIndexes(collection: Pick<Collection, "indexes">): Promise<IndexDescriptionInfo[]> {
  try {
    return await collection.indexes();
  } catch (error) {
    if (isNoCollection(error)) return [];
    throw error;
  }
}

/** Whatever its name. */
export function isAsDeclared(index: IndexDescriptionInfo, declared: DeclaredIndex): boolean {
  const optionsOf = (of: Omit<IndexDescriptionInfo, "key" | "v">): string => {
    const { unique, sparse, expireAfterSeconds, partialFilterExpression, collation } = of;
    const { locale = "simple" } = (collation ?? {}) as { locale?: string };
    return JSON.stringify([unique, sparse, String(expireAfterSeconds), partialFilterExpression, locale]);
  };
  return hasFields(index, declared) && optionsOf(index) === optionsOf(declared);
}

/** For an index that does not exist as declared: names of those that have its fields or its name. */
export function indexesInTheWay(declared: DeclaredIndex, existing: readonly IndexDescriptionInfo[]): string[] {
  const others = existing.filter((index) => index.name === declared.name || hasFields(index, declared));
  return others.flatMap(({ name }) => name ?? []);
}

function hasFields(index: IndexDescriptionInfo, { key }: DeclaredIndex): boolean {
  return String(Object.entries(index.key)) === String(Object.entries(key));
}

/** Whether documents have the same values of a unique index. Null: the search took too long. */
export async function hasDuplicates(collection: Collection, index: DeclaredIndex): Promise<boolean | null> {
  if (!index.unique) return false;
  const fields = Object.keys(index.key).map((field, position): [string, string] => [`f${position}`, `$${field}`]);
  const stages = [
    { $match: index.partialFilterExpression ?? {} },
    { $group: { _id: Object.fromEntries(fields), documents: { $sum: 1 } } },
    { $match: { documents: { $gt: 1 } } },
    { $limit: 1 },
  ];
  const options = { maxTimeMS: DUPLICATE_SCAN_MS, allowDiskUse: true };
  try {
    return (await collection.aggregate(stages, options).toArray()).length > 0;
  } catch (error) {
    if (isTimeExceeded(error)) return null;
    throw error;
  }
}
