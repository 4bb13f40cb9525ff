// What checking, issuing and limiting API keys needs from the outside.
import type { Actor } from "#domain/audit.ts";
import type { KeyLimits } from "#domain/key-limits.ts";
import type { Key } from "#domain/key.ts";

/** Every change but that of last uses leaves its audit record, as those of clans do. */
export type KeyStore = {
  read(keyId: string): Promise<Key | null>;
  /** Those of them that there are. */
  readMany(keyIds: readonly string[]): Promise<Key[]>;
  listOfClan(clanId: string): Promise<Key[]>;
  /**
   * Adds the key, and in the same commit replaces the one it succeeds. False when the clan has its `liveMax` keys
   * already.
   */
  add(
    key: Key,
    options: { liveMax: number; now: Date; replaces?: { keyId: string; expiresAt: Date } },
    by: Actor,
  ): Promise<boolean>;
  /** The key as revoked (an earlier revocation stands); null when there is none. */
  revoke(keyId: string, at: Date, by: Actor): Promise<Key | null>;
  /** The key with those limits changed that are named; null when there is none. */
  limit(keyId: string, limits: Partial<KeyLimits>, by: Actor): Promise<Key | null>;
  noteUses(uses: ReadonlyMap<string, Date>): Promise<void>;
};

/** `day`: its midnight, UTC. */
export type DayBudget = { keyId: string; day: Date };

/** `used`: the share of its budget per day that the key has awarded, 0 to 1. */
export type UsedBudget = { keyId: string; used: number };

/** XP that is counted, and the ids of what it is counted for, as far as that may be asked for again. */
export type BudgetClaim = { amount: number; ids: readonly string[] };

/** What keys awarded per day. Throws AppError `unavailable`; what was to be counted may then be counted. */
export type BudgetStore = {
  /** Counts the amount unless the day's sum would exceed `xpPerDay`; false: nothing was counted. */
  spend(budget: DayBudget, claim: BudgetClaim & { at: Date }, xpPerDay: number): Promise<boolean>;
  spentOf(budget: DayBudget): Promise<number>;
  /** The same, and the ids of the newest claims that were made after `since` and not given back. */
  read(budget: DayBudget, since: Date): Promise<{ spent: number; claimed: ReadonlySet<string> }>;
  giveBack(budget: DayBudget, claim: BudgetClaim): Promise<void>;
  /** The keys that have used most of their budget of that day, at most `limit`. */
  mostUsed(day: Date, limit: number): Promise<UsedBudget[]>;
};

/** What is counted of a key: its requests, and the awards in them. Each has a token bucket that all processes share. */
export type RateKind = "requests" | "awards";
/**
 * `remaining`: what could be taken at once now. `retryAfterMs`: when a refused amount will be there; null: never, it is
 * more than the bucket holds.
 */
export type RateVerdict =
  | { admitted: true; remaining: number }
  | { admitted: false; remaining: number; retryAfterMs: number | null };
export type RateBucket = { keyId: string; kind: RateKind; perSecond: number };
/** Never throws: without Redis each process admits its share. */
export type RateLimiter = {
  take(request: RateBucket & { amount: number }): Promise<RateVerdict>;
  /** What could be taken at once, as far as this process knows. Spends nothing, and asks nobody. */
  look(bucket: RateBucket): number;
};
