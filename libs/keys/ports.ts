// What checking, issuing and limiting API keys needs from the outside.
import type { Actor } from "#domain/audit.ts";
import type { KeyLimits, RateKind } from "#domain/key-limits.ts";
import type { Key } from "#domain/key.ts";

/** Every change except that of the last use is written together with its audit record, as for clans. */
export type KeyStore = {
  read(keyId: string): Promise<Key | null>;
  /** Those of them that exist. */
  readMany(keyIds: readonly string[]): Promise<Key[]>;
  listOfClan(clanId: string): Promise<Key[]>;
  /** Adds the key, and replaces its predecessor in the same commit. False if the clan already has `liveMax` keys. */
  add(
    key: Key,
    options: { liveMax: number; now: Date; replaces?: { keyId: string; expiresAt: Date } },
    by: Actor,
  ): Promise<boolean>;
  /** The key after its revocation, which keeps the time of an earlier one; null if there is none. */
  revoke(keyId: string, at: Date, by: Actor): Promise<Key | null>;
  /** The key after the named limits were changed; null if there is none. */
  limit(keyId: string, limits: Partial<KeyLimits>, by: Actor): Promise<Key | null>;
  noteUses(uses: ReadonlyMap<string, Date>): Promise<void>;
};

export type ExpiringKey = Pick<Key, "keyId" | "clanId"> & { expiresAt: Date };
/** Live keys that expire, the next one first, at most `limit`. */
export type ReadExpiring = (now: Date, limit: number) => Promise<ExpiringKey[]>;

/** `keyId`: of the key; a moderator's budget has an id that no key has. `day`: its midnight, UTC. */
export type DayBudget = { keyId: string; day: Date };

/** `used`: the share of its budget per day that the key has awarded, 0 to 1. */
export type UsedBudget = { keyId: string; clanId: string; used: number };

/**
 * XP that is counted, and the ids of the awards that it is counted for, while these may be retried. `claimId`: of the
 * request that counts it, because several requests for one award have the same id.
 */
export type BudgetClaim = { claimId: string; amount: number; ids: readonly string[] };

/** What keys and moderators have awarded per day. Throws AppError `unavailable`; then the amount may or may not be counted. */
export type BudgetStore = {
  /** Counts the amount unless the day's sum would exceed `xpPerDay`; false if nothing was counted. */
  spend(budget: DayBudget, claim: BudgetClaim & { at: Date }, xpPerDay: number): Promise<boolean>;
  spentOf(budget: DayBudget): Promise<number>;
  /** The same, and the ids of the newest claims of other requests that were made after `since` and not refunded. */
  read(
    budget: DayBudget,
    others: { than: string; since: Date },
  ): Promise<{ spent: number; claimed: ReadonlySet<string> }>;
  refund(budget: DayBudget, claim: BudgetClaim): Promise<void>;
  /** The keys that have used the largest shares of their budget of that day, at most `limit`. */
  mostUsed(day: Date, limit: number): Promise<UsedBudget[]>;
};

/**
 * `remaining`: what the bucket would grant now. `retryAfterMs`: when a rejected amount will be available; null if
 * never, because it exceeds the bucket.
 */
export type RateVerdict =
  | { admitted: true; remaining: number }
  | { admitted: false; remaining: number; retryAfterMs: number | null };
export type RateBucket = { keyId: string; kind: RateKind; perSecond: number };
/** Never throws: without Redis each process admits its share. */
export type RateLimiter = {
  take(request: RateBucket & { amount: number }): Promise<RateVerdict>;
  /** The tokens that the bucket would grant now, as far as this process knows. Spends nothing, and makes no call. */
  peek(bucket: RateBucket): number;
};
