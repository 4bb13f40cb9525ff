// A value that is read from elsewhere when somebody asks, rarely and in bounded time: whoever asks gets the newest one
// there is.
import { withTimeout } from "#async/with-timeout.ts";
import type { Clock } from "#usecases/ports.ts";

/** However often and by how many it is asked for. */
const READ_EVERY_MS = 5_000;
/** How long an asker waits for a read; then they get what was known before. */
const WAIT_MS = 500;
/** A value older than so many reads take says nothing any more. */
const AGE_MAX_READS = 6;

/** Null while the value is not known. Never throws. */
export type Reading<T> = () => Promise<T | null>;

/** `everyMs`: for what costs more to read, or changes slowly. */
export function makeReading<T>(world: { read: () => Promise<T>; clock: Clock; everyMs?: number }): Reading<T> {
  const { read, clock, everyMs = READ_EVERY_MS } = world;
  let known: { value: T; atMs: number } | null = null;
  let beganAtMs = -Infinity;
  let reading: Promise<void> | null = null;

  async function readOnce(): Promise<void> {
    beganAtMs = clock.monotonicMs();
    try {
      known = { value: await read(), atMs: beganAtMs };
    } catch {
      // What it was before ages; the operation that needs it tells what is wrong.
    }
    reading = null;
  }

  return async () => {
    if (!reading && clock.monotonicMs() - beganAtMs >= everyMs) reading = readOnce();
    if (reading) await withTimeout(reading, WAIT_MS, "no new value").catch(() => {});
    return known && clock.monotonicMs() - known.atMs < AGE_MAX_READS * everyMs ? known.value : null;
  };
}
