// A page of a list, and where the next one begins: null after the last one.

export type Page<Item, Position> = { items: Item[]; next: Position | null };

/** What a page is to have. `after` null: from the beginning of the list. */
export type Limited<Position> = { limit: number; after: Position | null };

/** The first ones of these, of which there are more than `limit` if others follow. */
export function pageOf<Item, Position>(
  found: readonly Item[],
  limit: number,
  placeOf: (last: Item) => Position,
): Page<Item, Position> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? placeOf(last) : null };
}

/** Reads parts, which may be short or empty, until the page is full, nothing is left, or enough was read. */
export async function filled<Item, Position>(
  { limit, after }: Limited<Position>,
  readsMax: number,
  read: (part: Limited<Position>) => Promise<Page<Item, Position>>,
): Promise<Page<Item, Position>> {
  const items: Item[] = [];
  let next = after;
  for (let reads = 0; reads < readsMax && items.length < limit; reads += 1) {
    const part = await read({ limit: limit - items.length, after: next });
    items.push(...part.items);
    next = part.next;
    if (next === null) break;
  }
  return { items, next };
}
