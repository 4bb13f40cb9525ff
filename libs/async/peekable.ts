// A stream whose next item can be inspected, for walking two ordered streams in parallel.

export type Peekable<T> = {
  /** Null at the end. */
  next(): T | null;
  /** Takes the next item. */
  advance(): Promise<void>;
};

export async function openPeekable<T>(items: AsyncIterable<T>): Promise<Peekable<T>> {
  const iterator = items[Symbol.asyncIterator]();
  let item: T | null = null;
  async function advance(): Promise<void> {
    const result = await iterator.next();
    item = result.done ? null : result.value;
  }
  await advance();
  return { next: () => item, advance };
}
