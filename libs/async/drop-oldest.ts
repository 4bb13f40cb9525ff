// Bounds what is remembered: a Map or a Set keeps its entries in the order in which they were added.

/** Deletes the entries that were added first, until at most `sizeMax` are left. */
export function dropOldest<Key>(
  remembered: { readonly size: number; keys(): Iterable<Key>; delete(key: Key): boolean },
  sizeMax: number,
): void {
  for (const oldest of remembered.keys()) {
    if (remembered.size <= sizeMax) return;
    remembered.delete(oldest);
  }
}
