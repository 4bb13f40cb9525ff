// BullMQ closes only if Redis responds, but a process must be able to exit without it. Nothing is lost: an unfinished
// job is delivered again.
import type { Redis } from "ioredis";
import { CLOSE_MS } from "#queue/bounds.ts";
import { withTimeout } from "#async/with-timeout.ts";

/**
 * Runs `close` and waits for it for a bounded time, or not at all if Redis is unavailable. `force`: Redis is
 * unavailable.
 */
export async function closeInTime(redis: Redis, close: (force: boolean) => Promise<void>): Promise<void> {
  const force = redis.status !== "ready";
  const closing = close(force).catch(() => {});
  if (force) return;
  await withTimeout(closing, CLOSE_MS, "BullMQ has not ended").catch(() => {});
}
