// What the API reports to a caller about its key's rates, over a shared bucket in memory.
import { expect, test } from "vitest";
import { burstOf, type KeyLimits } from "#domain/key-limits.ts";
import { makeRateLimiter } from "#rate-limit/rate-limiter.ts";
import type { SharedBuckets } from "#rate-limit/shared-buckets.ts";
import { makeRateLimits, type RateLimited } from "../../../apps/api/rate-limits.ts";

const limits: KeyLimits = { requestsPerSecond: 500, awardsPerSecond: 5_000, amountMax: null, xpPerDay: null };

/** Rates of a key with a stopped clock and full buckets. */
function ratesOf(changes: Partial<KeyLimits>) {
  const spent = new Map<string, number>();
  const buckets: SharedBuckets = {
    async take({ kind, perSecond }, tokens) {
      const name = `${kind} ${perSecond}`;
      const left = burstOf(perSecond) - (spent.get(name) ?? 0);
      const taken = tokens <= left;
      if (taken) spent.set(name, (spent.get(name) ?? 0) + tokens);
      return {
        taken,
        remaining: left - (taken ? tokens : 0),
        msBeforeNext: taken ? 0 : ((tokens - left) * 1_000) / perSecond,
      };
    },
  };
  const limiter = makeRateLimiter({
    buckets,
    clock: { now: () => new Date(0), monotonicMs: () => 0, agingMs: () => 0 },
  });
  return makeRateLimits(limiter)({ keyId: "k", clanId: "c", scopes: ["award"], limits: { ...limits, ...changes } });
}

const stateIn = (headers: readonly string[]): string => headers[headers.indexOf("ratelimit") + 1] ?? "";

test("the ratelimit header has no negative quota or time if limits are lowered while a body arrives", async () => {
  const rates = ratesOf({});
  await rates.spend("requests", 1);
  rates.follow({ ...limits, requestsPerSecond: 10, awardsPerSecond: 50 });
  await rates.spend("awards", 1);
  expect(stateIn(rates.headers())).toBe('"requests";r=40;t=0, "awards";r=199;t=1');
});

test("the ratelimit header keeps the quota of an exceeded rate after awards that can never fit in a burst", async () => {
  const rates = ratesOf({ awardsPerSecond: 10 });
  await rates.spend("awards", 40);
  await expect(rates.spend("awards", 41)).rejects.toThrow("never fits");
  expect(stateIn(rates.headers())).toContain('"awards";r=0;');
});

test("Retry-After is long enough for all awards of the rejected request", async () => {
  const rates = ratesOf({ awardsPerSecond: 10 });
  for (let count = 0; count < 40; count += 1) await rates.spend("awards", 1);
  await expect(rates.spend("awards", 1)).rejects.toMatchObject({ retryAfterS: 1 } satisfies Partial<RateLimited>);
  await expect(rates.spend("awards", 40)).rejects.toMatchObject({ retryAfterS: 4 } satisfies Partial<RateLimited>);
});
