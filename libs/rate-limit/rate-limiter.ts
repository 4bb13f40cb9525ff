// Spends tokens that were leased from the shared bucket some at a time, so that a request mostly costs a subtraction.
// Per bucket one lease is asked for at once; who is refused is refused from memory until a token can be there again.
import { burstOf } from "#domain/key-limits.ts";
import { LEASE_MS, LEASE_S, TANKS_MAX } from "#rate-limit/bounds.ts";
import type { SharedBuckets } from "#rate-limit/shared-buckets.ts";
import type { Clock } from "#usecases/ports.ts";
import type { RateLimiter, RateVerdict } from "#usecases/keys/ports.ts";

/** What this process holds of one bucket. */
type Tank = {
  tokens: number;
  leasedAtMs: number;
  /** What was left in the shared bucket, as last heard. */
  left: number;
  /** Until then a single token is not there, said the shared bucket. */
  emptyUntilMs: number;
  turn: Promise<unknown>;
};

export function makeRateLimiter({ buckets, clock }: { buckets: SharedBuckets; clock: Clock }): RateLimiter {
  const tanks = new Map<string, Tank>();

  function tankOf(name: string): Tank {
    const known = tanks.get(name);
    if (known) return known;
    const tank: Tank = { tokens: 0, leasedAtMs: 0, left: 0, emptyUntilMs: 0, turn: Promise.resolve() };
    tanks.set(name, tank);
    for (const oldest of tanks.keys()) {
      if (tanks.size <= TANKS_MAX) break;
      tanks.delete(oldest);
    }
    return tank;
  }

  /** What the tank itself can answer, or null: the shared bucket must be asked. */
  function fromTank(tank: Tank, amount: number): RateVerdict | null {
    const nowMs = clock.monotonicMs();
    if (nowMs - tank.leasedAtMs > LEASE_MS) tank.tokens = 0;
    if (tank.tokens >= amount) {
      tank.tokens -= amount;
      return { admitted: true, remaining: tank.left + tank.tokens };
    }
    if (nowMs < tank.emptyUntilMs) return { admitted: false, remaining: tank.tokens, retryAfterMs: tank.emptyUntilMs - nowMs };
    return null;
  }

  return {
    async take({ keyId, kind, perSecond, amount }) {
      if (amount === 0) return { admitted: true, remaining: 0 };
      const burst = burstOf(perSecond);
      if (amount > burst) return { admitted: false, remaining: burst, retryAfterMs: null };
      const tank = tankOf(`${keyId} ${kind} ${perSecond}`);
      const verdict = fromTank(tank, amount);
      if (verdict) return verdict;

      // One after the other: whoever asked meanwhile finds what the one before has leased.
      const mine = tank.turn.then(async () => fromTank(tank, amount) ?? (await lease(tank, { keyId, kind, perSecond }, amount)));
      tank.turn = mine;
      return mine;
    },
  };

  async function lease(tank: Tank, bucket: Parameters<SharedBuckets["take"]>[0], amount: number): Promise<RateVerdict> {
    // Set aside for this one: nobody may spend it while Redis is asked.
    const held = tank.tokens;
    tank.tokens = 0;
    const missing = amount - held;
    let asked = Math.max(missing, Math.ceil(bucket.perSecond * LEASE_S));
    let answer = await buckets.take(bucket, asked);
    if (!answer.taken && asked > missing) {
      asked = missing;
      answer = await buckets.take(bucket, asked);
    }
    const nowMs = clock.monotonicMs();
    if (!answer.taken) {
      tank.tokens += held;
      if (missing === 1) tank.emptyUntilMs = nowMs + answer.msBeforeNext;
      return { admitted: false, remaining: tank.tokens, retryAfterMs: answer.msBeforeNext };
    }
    tank.tokens += held + asked - amount;
    tank.leasedAtMs = nowMs;
    tank.left = answer.remaining;
    return { admitted: true, remaining: tank.left + tank.tokens };
  }
}
