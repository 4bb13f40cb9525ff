// Counts guesses of passwords in MongoDB, over all processes. Names, addresses and cookies are stored as digests only.
import { addressBlock } from "#domain/address-block.ts";
import type { AttemptDoc } from "#store/account-models.ts";
import type { Database } from "#store/database.ts";
import { rewrite } from "#store/mongo-calls.ts";
import { isDuplicateKey } from "#store/mongo-errors.ts";
import type { GuessSource, SignInLimit } from "#usecases/accounts/ports.ts";
import type { Clock, Digest } from "#usecases/ports.ts";

/** Attempts permitted in each window. `perSource`: for one account, from one address, device or session. */
export type SignInRates = {
  perSource: number;
  perAddress: number;
  windowMs: number;
  perAccount: number;
  accountWindowMs: number;
};
type Counter = { id: string; max: number; windowMs: number };

/** Long: counting, waiting and forgiving must use the same counters; side by side they are seen to. */
export function makeSignInLimit(world: {
  database: Pick<Database, "models">;
  rates: SignInRates;
  clock: Clock;
  digest: Digest;
}): SignInLimit {
  const { attempts } = world.database.models;
  const { perSource, perAddress, windowMs, perAccount, accountWindowMs } = world.rates;

  /** One write, so that concurrent attempts are counted individually. */
  async function count({ id, windowMs: lengthMs }: Counter): Promise<AttemptDoc | null> {
    const now = world.clock.now();
    const isOpen = { $gt: ["$expiresAt", now] };
    const update = {
      $set: {
        count: { $cond: [isOpen, { $add: ["$count", 1] }, 1] },
        expiresAt: { $cond: [isOpen, "$expiresAt", new Date(now.getTime() + lengthMs)] },
      },
    };
    return attempts
      .findOneAndUpdate({ _id: id }, [update], { upsert: true, returnDocument: "after", updatePipeline: true })
      .lean<AttemptDoc>();
  }

  async function waitMs(counter: Counter): Promise<number> {
    const counted = await rewrite(async () => {
      try {
        return await count(counter);
      } catch (error) {
        // Two concurrent first attempts: the other one has inserted the counter by now.
        if (isDuplicateKey(error)) return count(counter);
        throw error;
      }
    });
    if (!counted || counted.count <= counter.max) return 0;
    return Math.max(1, counted.expiresAt.getTime() - world.clock.now().getTime());
  }

  /** Until none of them is used up. Only reads: a rejected attempt uses up nothing and stores nothing. */
  async function spentMs(counters: readonly Counter[]): Promise<number> {
    const found = await rewrite(() =>
      attempts.find({ _id: { $in: counters.map(({ id }) => id) } }).lean<AttemptDoc[]>(),
    );
    const now = world.clock.now().getTime();
    const waits = counters.map(({ id, max }) => {
      const counted = found.find(({ _id }) => _id === id);
      return counted && counted.count >= max ? counted.expiresAt.getTime() - now : 0;
    });
    return Math.max(0, ...waits);
  }

  function idOf(kind: string, ...parts: string[]): string {
    return `${kind}:${world.digest(parts.join(" "))}`;
  }

  function counterOf(block: string): Counter {
    return { id: idOf("address", block), max: perAddress, windowMs };
  }

  /** The source's own counter, then those that it shares with others. */
  function countersOf(accountName: string, from: GuessSource): { own: Counter; shared: Counter[] } {
    if ("known" in from)
      return { own: { id: idOf("known", accountName, from.known), max: perSource, windowMs }, shared: [] };
    const block = addressBlock(from.address);
    return {
      own: { id: idOf("source", accountName, block), max: perSource, windowMs },
      shared: [counterOf(block), { id: idOf("account", accountName), max: perAccount, windowMs: accountWindowMs }],
    };
  }

  async function giveBack(counters: readonly Counter[]): Promise<void> {
    const counted = { _id: { $in: counters.map(({ id }) => id) }, count: { $gt: 0 } };
    await rewrite(() => attempts.updateMany(counted, { $inc: { count: -1 } }));
  }

  return {
    async attempt(accountName, from) {
      const { own, shared } = countersOf(accountName, from);
      const spent = await spentMs([own, ...shared]);
      if (spent > 0) return spent;
      // The source first: a source that is used up must not use up the attempts of others.
      for (const counter of [own, ...shared]) {
        const ms = await waitMs(counter);
        if (ms > 0) return ms;
      }
      return 0;
    },
    attemptFrom: (address) => waitMs(counterOf(addressBlock(address))),
    async forgive(accountName, from) {
      const { own, shared } = countersOf(accountName, from);
      await rewrite(() => attempts.deleteOne({ _id: own.id }));
      if (shared.length > 0) await giveBack(shared);
    },
    forgiveFrom: (address) => giveBack([counterOf(addressBlock(address))]),
    async takeBack(accountName, from) {
      const { own, shared } = countersOf(accountName, from);
      await giveBack([own, ...shared]);
    },
  };
}
