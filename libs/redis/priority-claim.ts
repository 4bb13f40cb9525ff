// Single awards have priority over batches: an API that receives them claims it in Redis, and workers throttle
// themselves. Advisory, like the lock: without Redis there are no claims, and batches run at full speed.
import type { Redis } from "ioredis";
import { CLAIM_EVERY_MS, CLAIM_MS } from "#redis/bounds.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

const nameIn = (namespace: string): string => `${namespace}:priority`;

/** Call it for each single award: it renews the claim at intervals. `redis` must fail fast. */
export function makeClaimPriority(deps: { redis: Redis; namespace: string; clock: Clock; log: Log }): () => void {
  const { redis, clock, log } = deps;
  let claimedAtMs = -Infinity;
  return function claimPriority() {
    const nowMs = clock.monotonicMs();
    if (nowMs - claimedAtMs < CLAIM_EVERY_MS) return;
    claimedAtMs = nowMs;
    redis
      .set(nameIn(deps.namespace), "", "PX", CLAIM_MS)
      .catch((error: unknown) => log.debug({ err: error }, "priority.claim_failed"));
  };
}

/** Whether an API received a single award recently; no, if Redis does not say it. `redis` must fail fast. */
export function makeReadPriority(deps: { redis: Redis; namespace: string; log: Log }): () => Promise<boolean> {
  return async () => {
    try {
      return (await deps.redis.exists(nameIn(deps.namespace))) === 1;
    } catch (error) {
      deps.log.debug({ err: error }, "priority.read_failed");
      return false;
    }
  };
}

/**
 * Whether an API received a single award recently, as far as this process knows: Redis is asked when somebody wants to
 * know, for the next one who does. `redis` must fail fast.
 */
export function watchPriority(deps: { redis: Redis; namespace: string; clock: Clock; log: Log }): () => boolean {
  let claimed = false;
  let readAtMs = -Infinity;
  const readPriority = makeReadPriority(deps);
  return () => {
    const ageMs = deps.clock.monotonicMs() - readAtMs;
    if (ageMs >= CLAIM_EVERY_MS) {
      readAtMs = deps.clock.monotonicMs();
      void readPriority().then((isClaimed) => (claimed = isClaimed));
    }
    return claimed && ageMs < CLAIM_MS;
  };
}
