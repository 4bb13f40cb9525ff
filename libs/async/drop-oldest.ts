// Bounds a cache: a Map or a Set keeps its entries in the order in which they were added.

/**
 * Part of the entries that is deleted together. Each search for the oldest entry steps over those that were deleted
 * before it: one by one, a deletion from 50,000 takes 20 µs instead of 1 (measured).
 */
const SHARE_DROPPED = 1 / 16;

/** If there are more than `sizeMax` entries, deletes those that were added first. */
export function dropOldest<Key>(
  entries: { readonly size: number; keys(): Iterable<Key>; delete(key: Key): boolean },
  sizeMax: number,
): void {
  if (entries.size <= sizeMax) return;
  const remaining = sizeMax - Math.floor(sizeMax * SHARE_DROPPED);
  for (const oldest of entries.keys()) {
    if (entries.size <= remaining) return;
    entries.delete(oldest);
  }
}
