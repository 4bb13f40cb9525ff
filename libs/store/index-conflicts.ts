// Declared indexes that MongoDB cannot build beside what a collection contains: another index has their fields or their
// name, or several documents have the same values. Trying again does not help.
import type { mongo } from "mongoose";
import type { Models } from "#store/models.ts";
import { DUPLICATE_SCAN_MS } from "#store/bounds.ts";
import { isTimeExceeded } from "#store/mongo-errors.ts";

type AnyModel = Models[keyof Models];
export type DeclaredIndex = mongo.IndexDescription & { name: string };

export function declaredIndexes(model: AnyModel): DeclaredIndex[] {
  // Mongoose types the keys of an index more widely than the driver does.
  return model.schema
    .indexes()
    .map(([key, options]) => ({ name: Object.entries(key).flat().join("_"), ...options, key }) as DeclaredIndex);
}

/** For an index that does not exist as declared: names of those that have its fields or its name. */
export function indexesInTheWay(declared: DeclaredIndex, existing: readonly mongo.IndexDescriptionInfo[]): string[] {
  const others = existing.filter((index) => index.name === declared.name || hasFields(index, declared));
  return others.flatMap(({ name }) => name ?? []);
}

export function hasFields(index: mongo.IndexDescriptionInfo, { key }: DeclaredIndex): boolean {
  return JSON.stringify(index.key) === JSON.stringify(key);
}

/** Whether documents have the same values of a unique index. Null: the search took too long. */
export async function hasDuplicates({ collection }: AnyModel, index: DeclaredIndex): Promise<boolean | null> {
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
