// Spends tokens that were leased from the shared bucket, so that most requests cost only a subtraction. One lease per
// bucket is requested at a time. A rejected caller is rejected from memory until a token can be available again.
import { dropOldest } from "#async/drop-oldest.ts";
import { burstOf } from "#domain/key-limits.ts";
import { LEASE_MS, LEASE_S, ALLOWANCES_MAX } from "#rate-limit/bounds.ts";
import type { SharedBuckets } from "#rate-limit/shared-buckets.ts";
import type { Clock } from "#kernel/clock.ts";
import type { RateBucket, RateLimiter, RateVerdict } from "#keys/ports.ts";

/** The local share of one bucket. */
type Allowance = {
  perSecond: number;
  tokens: number;
  leasedAtMs: number;
  /** The rest of the shared bucket, as last reported. */
  left: number;
  /** The time until which no token is available, according to the shared bucket. */
  emptyUntilMs: number;
  lastLease: Promise<unknown>;
};

type Deps = { buckets: SharedBuckets; clock: Clock };

export function makeRateLimiter({ buckets, clock }: Deps): RateLimiter {
  /** By key: a combined name of key, kind and rate would have to be built and hashed for each request. */
  const allowances: Record<RateBucket["kind"], Map<string, Allowance>> = { requests: new Map(), awards: new Map() };

  function find({ keyId, kind, perSecond }: RateBucket): Allowance | undefined {
    const known = allowances[kind].get(keyId);
    // Another rate is another bucket: the key's limit was changed.
    return known?.perSecond === perSecond ? known : undefined;
  }

  function allowanceOf(bucket: RateBucket): Allowance {
    const { keyId, kind, perSecond } = bucket;
    const known = find(bucket);
    if (known) return known;
    const made = { perSecond, tokens: 0, leasedAtMs: 0, left: 0, emptyUntilMs: 0, lastLease: Promise.resolve() };
    allowances[kind].set(keyId, made);
    dropOldest(allowances[kind], ALLOWANCES_MAX);
    return made;
  }

  /** The decision from memory; null if the shared bucket must be queried. */
  function fromAllowance(allowance: Allowance, perSecond: number, amount: number): RateVerdict | null {
    const nowMs = clock.monotonicMs();
    if (nowMs - allowance.leasedAtMs > LEASE_MS) allowance.tokens = 0;
    if (allowance.tokens >= amount) {
      allowance.tokens -= amount;
      return { admitted: true, remaining: allowance.left + allowance.tokens };
    }
    if (nowMs >= allowance.emptyUntilMs) return null;
    // One token is available then, and the others after it.
    const earlierMs = ((amount - allowance.tokens - 1) * 1_000) / perSecond;
    return { admitted: false, remaining: allowance.tokens, retryAfterMs: allowance.emptyUntilMs - nowMs + earlierMs };
  }

  function peek(bucket: RateBucket): number {
    const burst = burstOf(bucket.perSecond);
    const allowance = find(bucket);
    if (!allowance) return burst;
    const nowMs = clock.monotonicMs();
    if (nowMs < allowance.emptyUntilMs) return allowance.tokens;
    const refilled = ((nowMs - allowance.leasedAtMs) / 1_000) * bucket.perSecond;
    return Math.min(burst, Math.floor(allowance.left + allowance.tokens + refilled));
  }

  return {
    peek,

    async take({ keyId, kind, perSecond, amount }) {
      if (amount === 0) return { admitted: true, remaining: 0 };
      if (amount > burstOf(perSecond)) {
        return { admitted: false, remaining: peek({ keyId, kind, perSecond }), retryAfterMs: null };
      }
      const allowance = allowanceOf({ keyId, kind, perSecond });
      const verdict = fromAllowance(allowance, perSecond, amount);
      if (verdict) return verdict;

      // One after the other: later callers use what the earlier call has leased.
      const own = allowance.lastLease.then(
        async () =>
          fromAllowance(allowance, perSecond, amount) ??
          (await lease({ buckets, clock }, allowance, { keyId, kind, perSecond }, amount)),
      );
      allowance.lastLease = own;
      return own;
    },
  };
}

async function lease(
  { buckets, clock }: Deps,
  allowance: Allowance,
  bucket: Parameters<SharedBuckets["take"]>[0],
  amount: number,
): Promise<RateVerdict> {
  // Reserved for this caller: no other caller may use it while Redis is queried.
  const held = allowance.tokens;
  allowance.tokens = 0;
  const missing = amount - held;
  let requested = Math.max(missing, Math.ceil(bucket.perSecond * LEASE_S));
  let answer = await buckets.take(bucket, requested);
  if (!answer.taken && requested > missing) {
    requested = missing;
    answer = await buckets.take(bucket, requested);
  }
  const nowMs = clock.monotonicMs();
  if (!answer.taken) {
    allowance.tokens += held;
    if (missing === 1) allowance.emptyUntilMs = nowMs + answer.msBeforeNext;
    return { admitted: false, remaining: allowance.tokens, retryAfterMs: answer.msBeforeNext };
  }
  allowance.tokens += held + requested - amount;
  allowance.leasedAtMs = nowMs;
  allowance.left = answer.remaining;
  return { admitted: true, remaining: allowance.left + allowance.tokens };
}
