// Splits a list into parts, for operations whose size is limited: a query, a write, a call of Redis.

/** The items in their order, `size` at a time; the last part may be smaller. */
export function* chunks<T>(items: readonly T[], size: number): Generator<T[], void> {
  for (let first = 0; first < items.length; first += size) yield items.slice(first, first + size);
}
