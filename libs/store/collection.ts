// A collection and its indexes, as each is declared beside the documents and the queries that need it.
import type { mongo } from "mongoose";

export type DeclaredIndex = mongo.IndexDescription & { name: string };
export type DeclaredCollection = { name: string; indexes: readonly DeclaredIndex[] };

/** Under the name that MongoDB would give it. */
export function index(
  key: Readonly<Record<string, 1 | -1>>,
  options: Omit<mongo.IndexDescription, "key" | "name"> = {},
): DeclaredIndex {
  return { ...options, key, name: Object.entries(key).flat().join("_") };
}
