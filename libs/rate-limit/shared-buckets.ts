// Token buckets in Redis, based on rate-limiter-flexible, whose fixed window is replaced by a bucket that refills
// steadily. Without Redis each process uses its own bucket with its share of the rate.
import type { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { BURST_S, burstOf } from "#domain/key-limits.ts";
import { REST_MS } from "#rate-limit/bounds.ts";
import type { Clock, Log } from "#runtime/ports.ts";
import type { RateKind } from "#usecases/keys/ports.ts";

/**
 * Takes ARGV[1] tokens if they are available. KEYS[1]: a hash {tokens, at}. ARGV[3]: the bucket's size; it refills
 * within ARGV[4] s. Returns what rate-limiter-flexible expects: the used part of the bucket (more than its size:
 * rejected), and the ms until there is enough. Uses Redis's clock, so that processes agree on the time.
 */
const TOKEN_BUCKET = `
local wanted, burst, fill_ms = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4]) * 1000
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local kept = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = burst
if kept[1] then
  local elapsed = math.max(0, now - tonumber(kept[2]))
  tokens = math.min(burst, tonumber(kept[1]) + elapsed * burst / fill_ms)
end
if tokens < wanted then
  return { burst + 1, math.ceil((wanted - tokens) * fill_ms / burst) }
end
tokens = tokens - wanted
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(now))
redis.call('PEXPIRE', KEYS[1], fill_ms)
return { burst - math.floor(tokens), 0 }`;

export type BucketAnswer = { taken: boolean; remaining: number; msBeforeNext: number };

export type SharedBuckets = {
  /** Never throws. */
  take(bucket: { keyId: string; kind: RateKind; perSecond: number }, amount: number): Promise<BucketAnswer>;
};

/** `redis` must fail fast. `peers()`: processes that share the limits, this one included. */
export function makeSharedBuckets(world: {
  redis: Redis;
  namespace: string;
  peers: () => number;
  clock: Clock;
  log: Log;
}): SharedBuckets {
  const { clock, log } = world;
  const limiters = new Map<string, { shared: RateLimiterRedis; share: RateLimiterMemory }>();
  let restUntilMs = 0;

  /** One limiter per kind and rate: most keys have the same. */
  function limitersOf(kind: RateKind, perSecond: number): { shared: RateLimiterRedis; share: RateLimiterMemory } {
    const name = `${kind} ${perSecond}`;
    const known = limiters.get(name);
    if (known) return known;
    const options = {
      points: burstOf(perSecond),
      duration: BURST_S,
      keyPrefix: `${world.namespace}:rate:${kind}:${perSecond}`,
    };
    const made = {
      shared: new RateLimiterRedis({ ...options, storeClient: world.redis, customIncrTtlLuaScript: TOKEN_BUCKET }),
      share: new RateLimiterMemory(options),
    };
    limiters.set(name, made);
    return made;
  }

  return {
    async take({ keyId, kind, perSecond }, amount) {
      const { shared, share } = limitersOf(kind, perSecond);
      if (clock.monotonicMs() >= restUntilMs) {
        try {
          return await answerOf(shared.consume(keyId, amount));
        } catch (error) {
          log.debug({ err: error }, "rate_limit.redis_unavailable");
          restUntilMs = clock.monotonicMs() + REST_MS;
        }
      }
      share.points = Math.max(1, Math.floor(burstOf(perSecond) / world.peers()));
      const answer = await answerOf(share.consume(keyId, amount));
      // It uses the wall clock: if that is set back by an hour, the caller would have to wait for an hour.
      return { ...answer, msBeforeNext: Math.min(answer.msBeforeNext, BURST_S * 1_000) };
    },
  };
}

/** It rejects with a RateLimiterRes if the limit is exceeded; any other error is a failure. */
async function answerOf(consumed: Promise<RateLimiterRes>): Promise<BucketAnswer> {
  try {
    const { remainingPoints, msBeforeNext } = await consumed;
    return { taken: true, remaining: remainingPoints, msBeforeNext };
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return { taken: false, remaining: error.remainingPoints, msBeforeNext: error.msBeforeNext };
  }
}
