// Counts the processes that share the limits: each announces itself every 2 s. Without Redis the last known number
// applies.
import type { Redis } from "ioredis";
import { PEER_EVERY_MS, PEER_EXPIRY_MS } from "#rate-limit/bounds.ts";
import type { Log } from "#kernel/log.ts";

/**
 * KEYS: the processes. ARGV: the process, the time in ms after which one is not counted. By Redis's clock: a process
 * with a wrong one would consider all others dead, or stay listed for as long as it is ahead.
 */
const ANNOUNCE = `
local now = redis.call('TIME')[1] * 1000
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
return redis.call('ZCARD', KEYS[1])`;

export type Peers = { count(): number; leave(): Promise<void> };

/** `name` must be unique to this process. `redis` must fail fast. */
export function joinPeers(deps: { redis: Redis; namespace: string; name: string; log: Log }): Peers {
  const { redis, name } = deps;
  const key = `${deps.namespace}:api-processes`;
  let count = 1;

  async function heartbeat(): Promise<void> {
    try {
      count = Math.max(1, Number(await redis.eval(ANNOUNCE, 1, key, name, PEER_EXPIRY_MS)));
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
