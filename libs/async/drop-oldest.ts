// Bounds a cache: a Map or a Set keeps its entries in the order in which they were added.

/**
 * Part of the entries that is deleted together. Each search for the oldest entry steps over those that were deleted
 * before it: one by one, a deletion from 50,000 takes 20 µs instead of 1 (measured).
 */
const SHARE_DROPPED = 1 / 16;

/** If there are more than `sizeMax` entries, deletes those that were added first. */
export function dropOldest<Key>(
  remembered: { readonly size: number; keys(): Iterable<Key>; delete(key: Key): boolean },
  sizeMax: number,
): void {
  if (remembered.size <= sizeMax) return;
  const kept = sizeMax - Math.floor(sizeMax * SHARE_DROPPED);
  for (const oldest of remembered.keys()) {
    if (remembered.size <= kept) return;
    remembered.delete(oldest);
  }
}
