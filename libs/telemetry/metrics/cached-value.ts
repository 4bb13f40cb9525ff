// A value that is read from elsewhere on demand, rarely and in bounded time. Callers get the newest known value.
import { withTimeout } from "#async/with-timeout.ts";
import type { Clock } from "#kernel/clock.ts";

/** The minimum time between two reads, independent of the number of requests. */
const READ_EVERY_MS = 5_000;
/** How long a caller waits for a read; after that they get the value known before. */
const WAIT_MS = 500;
/** A value that is older than this many intervals is considered unknown. */
const AGE_MAX_READS = 6;

/** Null while the value is unknown. Never throws. */
export type CachedValue<T> = () => Promise<T | null>;

/** `everyMs`: for what costs more to read, or changes slowly. */
export function makeCachedValue<T>(deps: { read: () => Promise<T>; clock: Clock; everyMs?: number }): CachedValue<T> {
  const { read, clock, everyMs = READ_EVERY_MS } = deps;
  let known: { value: T; atMs: number } | null = null;
  let beganAtMs = -Infinity;
  let reading: Promise<void> | null = null;

  async function readOnce(): Promise<void> {
    beganAtMs = clock.agingMs();
    try {
      known = { value: await read(), atMs: beganAtMs };
    } catch {
      // The previous value ages; the failing operation itself reports the cause.
    }
    reading = null;
  }

  return async () => {
    if (!reading && clock.agingMs() - beganAtMs >= everyMs) reading = readOnce();
    if (reading) await withTimeout(reading, WAIT_MS, "no new value").catch(() => {});
    return known && clock.agingMs() - known.atMs < AGE_MAX_READS * everyMs ? known.value : null;
  };
}
