// Caches values read from MongoDB, and their absence, for a bounded time and in a bounded number. Changes need no
// notification: within `ageMaxMs` every process has read them.
import { dropOldest } from "#async/drop-oldest.ts";

export type TtlCache<Value> = {
  /** The value, at most `ageMaxMs` old; undefined if there is none. Rejects as `load` does. */
  get(id: string): Promise<Value | undefined>;
  /** The values of those ids that have one. */
  getMany(ids: Iterable<string>): Promise<ReadonlyMap<string, Value>>;
  /** What is cached, however old, or being read; undefined if that is nothing. Reads nothing. */
  peek(id: string): { value: Promise<Value | undefined>; ageMs: number; isFresh: boolean } | undefined;
  /** The next caller reads it again: this process has just changed it. */
  forget(id: string): void;
};

type Cached<Value> = { value: Promise<Value | undefined>; readAtMs: number };

export function makeTtlCache<Value>(options: {
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  ageMaxMs: number;
  sizeMax: number;
  clock: { agingMs(): number };
}): TtlCache<Value> {
  const cached = new Map<string, Cached<Value>>();

  function fresh(id: string, nowMs: number): Promise<Value | undefined> | undefined {
    const known = cached.get(id);
    return known && nowMs - known.readAtMs <= options.ageMaxMs ? known.value : undefined;
  }

  /** One read for all of them; later callers wait for the same read. */
  function load(ids: readonly string[], nowMs: number): Promise<ReadonlyMap<string, Value>> {
    const read = options.load(ids);
    for (const id of ids) {
      // Its age counts from before the read: what it returned may have changed since.
      const entry = { value: read.then((values) => values.get(id)), readAtMs: nowMs };
      entry.value.catch(() => {
        if (cached.get(id) === entry) cached.delete(id);
      });
      cached.delete(id);
      cached.set(id, entry);
    }
    dropOldest(cached, options.sizeMax);
    return read;
  }

  function get(id: string): Promise<Value | undefined> {
    const nowMs = options.clock.agingMs();
    return fresh(id, nowMs) ?? load([id], nowMs).then((values) => values.get(id));
  }

  async function getMany(ids: Iterable<string>): Promise<ReadonlyMap<string, Value>> {
    const nowMs = options.clock.agingMs();
    // Before the read, which may drop some of them from a full cache.
    const known = new Map([...new Set(ids)].map((id) => [id, fresh(id, nowMs)]));
    const stale = [...known].flatMap(([id, value]) => (value ? [] : [id]));
    const read = stale.length > 0 ? await load(stale, nowMs) : null;
    const values = new Map<string, Value>();
    for (const [id, cachedValue] of known) {
      const value = cachedValue ? await cachedValue : read?.get(id);
      if (value !== undefined) values.set(id, value);
    }
    return values;
  }

  function peek(id: string) {
    const known = cached.get(id);
    if (!known) return undefined;
    const ageMs = options.clock.agingMs() - known.readAtMs;
    return { value: known.value, ageMs, isFresh: ageMs <= options.ageMaxMs };
  }

  return { get, getMany, peek, forget: (id) => void cached.delete(id) };
}
