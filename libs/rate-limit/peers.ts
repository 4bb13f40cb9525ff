// Counts the processes that share the limits: each announces itself every 2 s. Without Redis the last known number
// applies.
import type { Redis } from "ioredis";
import { PEER_EVERY_MS, PEER_EXPIRY_MS } from "#rate-limit/bounds.ts";
import { serverTimeMs } from "#redis/server-time.ts";
import type { Log } from "#runtime/ports.ts";

export type Peers = { count(): number; leave(): Promise<void> };

/** `name` must be unique to this process. `redis` must fail fast. */
export function joinPeers(deps: { redis: Redis; namespace: string; name: string; log: Log }): Peers {
  const { redis, name } = deps;
  const key = `${deps.namespace}:api-processes`;
  let count = 1;

  async function heartbeat(): Promise<void> {
    try {
      // Redis's clock: a process with a wrong clock would consider all others dead, or stay listed for as long as it is
      // ahead.
      const nowMs = await serverTimeMs(redis, key);
      await redis.zadd(key, nowMs, name);
      await redis.zremrangebyscore(key, "-inf", nowMs - PEER_EXPIRY_MS);
      count = Math.max(1, await redis.zcard(key));
    } catch (error) {
      deps.log.debug({ err: error }, "rate_limit.peers_failed");
    }
  }
  const timer = setInterval(() => void heartbeat(), PEER_EVERY_MS);
  redis.once("ready", () => void heartbeat());

  return {
    count: () => count,
    async leave() {
      clearInterval(timer);
      await redis.zrem(key, name).catch(() => {});
    },
  };
}
