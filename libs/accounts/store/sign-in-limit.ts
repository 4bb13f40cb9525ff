// Limits attempts to guess passwords, over all processes, by several counters for each attempt. Names, addresses and
// cookies are stored as digests only.
import { addressBlock } from "#domain/address-block.ts";
import { makeAttemptCounters, type AttemptCounter } from "#accounts/store/attempt-counters.ts";
import type { Database } from "#mongo/database.ts";
import type { AttemptSource, SignInLimit } from "#accounts/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Digest } from "#kernel/digest.ts";

/** Attempts permitted in each window. `perSource`: for one account, from one address, device or session. */
export type SignInRates = {
  perSource: number;
  perAddress: number;
  windowMs: number;
  perAccount: number;
  accountWindowMs: number;
};

export function makeSignInLimit(deps: {
  database: Pick<Database, "db">;
  rates: SignInRates;
  clock: Clock;
  digest: Digest;
}): SignInLimit {
  const counters = makeAttemptCounters(deps);
  const { perSource, perAddress, windowMs, perAccount, accountWindowMs } = deps.rates;

  function idOf(kind: string, ...parts: string[]): string {
    return `${kind}:${deps.digest(parts.join(" "))}`;
  }

  function counterOf(block: string): AttemptCounter {
    return { id: idOf("address", block), max: perAddress, windowMs };
  }

  /** The source's own counter, then those that it shares with others. */
  function countersOf(accountName: string, from: AttemptSource): { own: AttemptCounter; shared: AttemptCounter[] } {
    if ("known" in from)
      return { own: { id: idOf("known", accountName, from.known), max: perSource, windowMs }, shared: [] };
    const block = addressBlock(from.address);
    return {
      own: { id: idOf("source", accountName, block), max: perSource, windowMs },
      shared: [counterOf(block), { id: idOf("account", accountName), max: perAccount, windowMs: accountWindowMs }],
    };
  }

  return {
    async attempt(accountName, from) {
      const { own, shared } = countersOf(accountName, from);
      const spentMs = await counters.spentMs([own, ...shared]);
      if (spentMs > 0) return spentMs;
      // The source is checked first: a source without attempts left must not use up the attempts of others.
      for (const counter of [own, ...shared]) {
        const waitMs = await counters.count(counter);
        if (waitMs > 0) return waitMs;
      }
      return 0;
    },
    attemptFrom: (address) => counters.count(counterOf(addressBlock(address))),
    async noteSuccess(accountName, from) {
      const { own, shared } = countersOf(accountName, from);
      await counters.reset(own);
      if (shared.length > 0) await counters.subtract(shared);
    },
    noteSuccessFrom: (address) => counters.subtract([counterOf(addressBlock(address))]),
    async subtract(accountName, from) {
      const { own, shared } = countersOf(accountName, from);
      await counters.subtract([own, ...shared]);
    },
  };
}
