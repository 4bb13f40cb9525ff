// A page of a list, and where the next one begins: null after the last one.

export type Page<Item, Position> = { items: Item[]; next: Position | null };
