// Bounds that rest on each other, and what happens at the edges that no load reaches in a test.
import { expect, test } from "vitest";
import { AWARDS_PER_CALL_MAX } from "#domain/bounds.ts";
import { ALLOWANCES_MAX } from "#rate-limit/bounds.ts";
import { makeRateLimiter } from "#rate-limit/rate-limiter.ts";
import { systemClock } from "#process/clock.ts";
import { AWARDS_WAITING_MAX } from "#ledger/bounds.ts";
import { RULES_AGE_MAX_MS } from "#clans/bounds.ts";
import { KEY_AGE_MAX_MS, KEY_READS_WAITING_MAX } from "#keys/bounds.ts";
import { makeKeyUses } from "#keys/key-uses.ts";
import { CONNECTIONS_MAX, REQUESTS_UNDER_WAY_MAX } from "../../../apps/api/http/bounds.ts";
import { silentLog } from "../../support/silent-log.ts";

/** In which a revoked key or a changed clan acts on every process. */
const CHANGE_MS_MAX = 1_000;

test("an API process admits more requests than awards may wait, so that the bound on waiting awards applies first", () => {
  expect(REQUESTS_UNDER_WAY_MAX * AWARDS_PER_CALL_MAX).toBeGreaterThan(AWARDS_WAITING_MAX);
});

test("an API process admits all callers with one request per connection, and can read the key of each request", () => {
  expect(REQUESTS_UNDER_WAY_MAX).toBeGreaterThanOrEqual(CONNECTIONS_MAX);
  expect(KEY_READS_WAITING_MAX).toBeGreaterThanOrEqual(REQUESTS_UNDER_WAY_MAX);
});

test("cached API keys and clans expire early enough that a change takes effect within 1 s, including the read", () => {
  for (const ageMs of [KEY_AGE_MAX_MS, RULES_AGE_MAX_MS]) expect(ageMs).toBeLessThanOrEqual(CHANGE_MS_MAX / 2);
});

test("last uses of API keys that could not be written are written with the next ones, with the latest time of each", async () => {
  const written: [string, number][][] = [];
  const warned: string[] = [];
  let isUnavailable = true;
  const keys = {
    async noteUses(uses: ReadonlyMap<string, Date>) {
      if (isUnavailable) throw new Error("MongoDB is away");
      written.push([...uses].map(([keyId, at]) => [keyId, at.getTime()]));
    },
  };
  const uses = makeKeyUses({
    keys,
    log: { ...silentLog, warn: (_facts: object, event: string) => void warned.push(event) },
  });
  uses.note("kept", new Date(1), false);
  uses.note("again", new Date(2), false);
  await uses.flush();
  uses.note("again", new Date(3), false);
  isUnavailable = false;
  await uses.flush();
  expect(warned).toStrictEqual(["key.last_used_failed"]);
  expect(written).toStrictEqual([
    [
      ["kept", 1],
      ["again", 3],
    ],
  ]);
  await uses.flush();
  expect(written).toHaveLength(1);
});

test("a rate that was dropped from the cache is read again from the shared bucket", async () => {
  const reads = new Map<string, number>();
  const buckets = {
    async take({ keyId }: { keyId: string }) {
      reads.set(keyId, (reads.get(keyId) ?? 0) + 1);
      return { taken: true, remaining: 0, msBeforeNext: 0 };
    },
  };
  // The clock is stopped: no lease expires.
  const limiter = makeRateLimiter({ buckets, clock: { ...systemClock, monotonicMs: () => 0 } });
  const take = (keyId: string) => limiter.take({ keyId, kind: "requests", perSecond: 500, amount: 1 });
  for (let count = 0; count < 3; count += 1) expect((await take("first")).admitted).toBe(true);
  expect(reads.get("first")).toBe(1);
  for (let other = 0; other < ALLOWANCES_MAX; other += 1) await take(`other ${other}`);
  expect((await take("first")).admitted).toBe(true);
  expect(reads.get("first")).toBe(2);
  expect(reads.size).toBe(ALLOWANCES_MAX + 1);
});
