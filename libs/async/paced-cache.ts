// Caches values that are expensive to load: however often they are read, loading takes a bounded share of the time.
// A value is loaded again in the background before it expires; only a caller after that waits.
import { dropOldest } from "#async/drop-oldest.ts";
import { pause } from "#async/pause.ts";
import { shareRuns } from "#async/share-runs.ts";

/** A load in the background rests this many times as long as each of its steps took. */
const REST_SHARE = 4;

/** Runs a step of a load. */
export type RunStep = <T>(step: () => Promise<T>) => Promise<T>;
/** A value is loaded again once it is asked for after `refreshMs`, and not used any more after `expireMs`. */
export type Ages = { refreshMs: number; expireMs: number };

type Cached<Value> = { value: Value; loadedAtMs: number; ages: Ages };

/** Rejects as `load` does. `busyMs`: how long the steps of the load took, without its rests. */
export function makePacedCache<Value>(options: {
  load: (id: string, run: RunStep) => Promise<Value>;
  agesOf: (value: Value, busyMs: number) => Ages;
  sizeMax: number;
  clock: { agingMs(): number };
}): (id: string) => Promise<Value> {
  const { load, agesOf, sizeMax, clock } = options;
  const cached = new Map<string, Cached<Value>>();

  const reload = shareRuns(async (id: string, inBackground: boolean): Promise<Value> => {
    const loadedAtMs = clock.agingMs();
    let busyMs = 0;
    const value = await load(id, async (step) => {
      const beganAtMs = clock.agingMs();
      const result = await step();
      const tookMs = clock.agingMs() - beganAtMs;
      busyMs += tookMs;
      if (inBackground) await pause(tookMs * REST_SHARE);
      return result;
    });
    cached.delete(id);
    cached.set(id, { value, loadedAtMs, ages: agesOf(value, busyMs) });
    dropOldest(cached, sizeMax);
    return value;
  });

  return async (id) => {
    const known = cached.get(id);
    const ageMs = known ? clock.agingMs() - known.loadedAtMs : Infinity;
    if (!known || ageMs > known.ages.expireMs) return reload(id, false);
    // Callers after it has expired see the failure.
    if (ageMs > known.ages.refreshMs) reload(id, true).catch(() => {});
    return known.value;
  };
}
