// Whether Redis can do its work now, as a new connection finds it: an old one may still reach a server that was
// replaced and that responds. The other connections of the process then follow.
import type { Redis } from "ioredis";
import { CHECK_CONNECTION_MS, CHECK_REJECTED_MS, CONNECT_MS } from "#redis/bounds.ts";
import { requireNoEviction } from "#redis/connection.ts";
import { readRunId, type ConnectionGroup } from "#redis/connection-group.ts";
import { RedisFault, requireWrites } from "#redis/redis-fault.ts";
import type { Clock } from "#kernel/clock.ts";

export type CheckRedis = {
  /**
   * Throws RedisFault, with the fix, while Redis responds but is not what REDIS_URL says, rejects writes or may evict
   * jobs; another error while it does not respond. After a RedisFault, it is asked at most once per CHECK_REJECTED_MS,
   * however often this runs.
   */
  (): Promise<void>;
  close(): void;
};

export function makeCheckRedis(deps: {
  /** Opens a connection that fails fast. */
  reach: (withinMs: number) => Promise<Redis>;
  namespace: string;
  connections: Pick<ConnectionGroup, "areReady" | "moveTo">;
  clock: Clock;
}): CheckRedis {
  const { reach, namespace, connections, clock } = deps;
  let asked: { redis: Redis; sinceMs: number } | null = null;
  let rejected: { fault: RedisFault; atMs: number } | null = null;
  let running: Promise<void> | null = null;
  let closed = false;

  function drop(): void {
    asked?.redis.disconnect();
    asked = null;
  }

  async function ask(redis: Redis): Promise<void> {
    const [runId] = await Promise.all([readRunId(redis), requireWrites(redis, namespace), requireNoEviction(redis)]);
    if (runId !== null) connections.moveTo(runId);
  }

  /** Whether a connection of earlier checks finds that all is well. */
  async function isWellSoFar(): Promise<boolean> {
    if (!asked || clock.monotonicMs() - asked.sinceMs > CHECK_CONNECTION_MS) return false;
    return ask(asked.redis).then(
      () => true,
      () => false,
    );
  }

  async function check(): Promise<void> {
    if (rejected && clock.monotonicMs() - rejected.atMs < CHECK_REJECTED_MS) throw rejected.fault;
    if (!(await isWellSoFar())) {
      drop();
      try {
        const redis = await reach(CONNECT_MS);
        if (closed) return redis.disconnect();
        asked = { redis, sinceMs: clock.monotonicMs() };
        await ask(redis);
      } catch (error) {
        drop();
        rejected = error instanceof RedisFault ? { fault: error, atMs: clock.monotonicMs() } : null;
        throw error;
      }
    }
    rejected = null;
    if (!connections.areReady()) throw new Error("Redis responds, and the connections to it are being established");
  }

  function checkRedis(): Promise<void> {
    return (running ??= check().finally(() => (running = null)));
  }
  return Object.assign(checkRedis, {
    close() {
      closed = true;
      drop();
    },
  });
}
