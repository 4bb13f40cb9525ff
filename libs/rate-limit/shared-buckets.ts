// Token buckets in Redis, which refill steadily. Without Redis each process uses its own bucket with its share of the
// rate.
import type { Redis } from "ioredis";
import { dropOldest } from "#async/drop-oldest.ts";
import { BURST_S, burstOf } from "#domain/key-limits.ts";
import { ALLOWANCES_MAX, REST_MS } from "#rate-limit/bounds.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import type { RateKind } from "#domain/key-limits.ts";

/** The time in which an empty bucket is full again. */
const FILL_MS = BURST_S * 1_000;

/**
 * Takes ARGV[1] tokens if they are available. KEYS[1]: a hash {tokens, at}. ARGV[2]: the bucket's size; it refills
 * within ARGV[3] ms. Returns the rest (-1: rejected), and the ms until there is enough. Uses Redis's clock, so that
 * processes agree on the time.
 */
const TAKE_TOKENS = `
local wanted, burst, fill_ms = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local kept = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = burst
if kept[1] then
  local elapsed = math.max(0, now - tonumber(kept[2]))
  tokens = math.min(burst, tonumber(kept[1]) + elapsed * burst / fill_ms)
end
if tokens < wanted then
  return { -1, math.ceil((wanted - tokens) * fill_ms / burst) }
end
tokens = tokens - wanted
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(now))
redis.call('PEXPIRE', KEYS[1], fill_ms)
return { math.floor(tokens), 0 }`;

type Commands = { takeTokens(key: string, wanted: number, burst: number, fillMs: number): Promise<[number, number]> };

export type BucketAnswer = { taken: boolean; remaining: number; msBeforeNext: number };

export type SharedBuckets = {
  /** Never throws. */
  take(bucket: { keyId: string; kind: RateKind; perSecond: number }, amount: number): Promise<BucketAnswer>;
};

/** `redis` must fail fast. `peers()`: processes that share the limits, this one included. */
export function makeSharedBuckets(deps: {
  redis: Redis;
  namespace: string;
  peers: () => number;
  clock: Clock;
  log: Log;
}): SharedBuckets {
  const { redis, clock, log } = deps;
  redis.defineCommand("takeTokens", { lua: TAKE_TOKENS, numberOfKeys: 1 });
  const commands = redis as unknown as Commands;
  const own = new Map<string, { tokens: number; atMs: number }>();
  let restUntilMs = 0;

  function takeOwn(name: string, burst: number, amount: number): BucketAnswer {
    const size = Math.max(1, Math.floor(burst / deps.peers()));
    const atMs = clock.monotonicMs();
    const known = own.get(name) ?? { tokens: size, atMs };
    const tokens = Math.min(size, known.tokens + ((atMs - known.atMs) * size) / FILL_MS);
    const left = tokens - amount;
    own.set(name, { tokens: left < 0 ? tokens : left, atMs });
    dropOldest(own, ALLOWANCES_MAX);
    // What exceeds the share waits for Redis.
    if (left < 0) return { taken: false, remaining: 0, msBeforeNext: Math.min((-left * FILL_MS) / size, FILL_MS) };
    return { taken: true, remaining: Math.floor(left), msBeforeNext: 0 };
  }

  return {
    async take({ keyId, kind, perSecond }, amount) {
      const [name, burst] = [`${deps.namespace}:rate:${kind}:${perSecond}:${keyId}`, burstOf(perSecond)];
      if (clock.monotonicMs() >= restUntilMs) {
        try {
          const [remaining, msBeforeNext] = await commands.takeTokens(name, amount, burst, FILL_MS);
          return { taken: remaining >= 0, remaining: Math.max(remaining, 0), msBeforeNext };
        } catch (error) {
          log.debug({ err: error }, "rate_limit.redis_unavailable");
          restUntilMs = clock.monotonicMs() + REST_MS;
        }
      }
      return takeOwn(name, burst, amount);
    },
  };
}
