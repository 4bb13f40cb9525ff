// A collection and its indexes, as each is declared beside the documents and the queries that need it.
import type { CreateCollectionOptions, IndexDescription } from "mongodb";

export type DeclaredIndex = IndexDescription & { name: string };
/** `options`: of a new collection. What exists remains as it is. */
export type DeclaredCollection = {
  name: string;
  indexes: readonly DeclaredIndex[];
  options?: CreateCollectionOptions;
};

/** Under the name that MongoDB would give it. */
export function index(
  key: Readonly<Record<string, 1 | -1>>,
  options: Omit<IndexDescription, "key" | "name"> = {},
): DeclaredIndex {
  return { ...options, key, name: Object.entries(key).flat().join("_") };
}
