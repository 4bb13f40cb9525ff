// BullMQ ends only when Redis answers; a process must end without it. Nothing is lost: what was not handed in is
// delivered again.
import type { Redis } from "ioredis";
import { CLOSE_MS } from "#queue/bounds.ts";
import { withTimeout } from "#async/with-timeout.ts";

/** Runs `close` and waits for it, but not where Redis is away, and not for long. `force`: Redis is away. */
export async function closeInTime(redis: Redis, close: (force: boolean) => Promise<void>): Promise<void> {
  const force = redis.status !== "ready";
  const closing = close(force).catch(() => {});
  if (force) return;
  await withTimeout(closing, CLOSE_MS, "BullMQ has not ended").catch(() => {});
}
