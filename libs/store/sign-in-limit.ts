// Attempts to sign in, counted in MongoDB for all processes together. Names and addresses are stored as digests only.
import type { AttemptDoc } from "#store/account-models.ts";
import type { Database } from "#store/database.ts";
import { rewrite } from "#store/mongo-calls.ts";
import { isDuplicateKey } from "#store/mongo-errors.ts";
import type { SignInLimit } from "#usecases/accounts/ports.ts";
import type { Clock, Digest } from "#usecases/ports.ts";

/** Attempts permitted in each window of `windowMs`. */
export type SignInRates = { perAccount: number; perAddress: number; windowMs: number };

export function makeSignInLimit(world: {
  database: Pick<Database, "models">;
  rates: SignInRates;
  clock: Clock;
  digest: Digest;
}): SignInLimit {
  const { attempts } = world.database.models;
  const { perAccount, perAddress, windowMs } = world.rates;

  /** One write: attempts that arrive together are counted one by one. */
  async function count(id: string): Promise<AttemptDoc | null> {
    const now = world.clock.now();
    const isOpen = { $gt: ["$expiresAt", now] };
    const update = {
      $set: {
        count: { $cond: [isOpen, { $add: ["$count", 1] }, 1] },
        expiresAt: { $cond: [isOpen, "$expiresAt", new Date(now.getTime() + windowMs)] },
      },
    };
    return attempts
      .findOneAndUpdate({ _id: id }, [update], { upsert: true, returnDocument: "after", updatePipeline: true })
      .lean<AttemptDoc>();
  }

  async function waitMs(id: string, max: number): Promise<number> {
    const counted = await rewrite(async () => {
      try {
        return await count(id);
      } catch (error) {
        // Two first attempts at once: the other one has inserted the counter by now.
        if (isDuplicateKey(error)) return count(id);
        throw error;
      }
    });
    if (!counted || counted.count <= max) return 0;
    return Math.max(1, counted.expiresAt.getTime() - world.clock.now().getTime());
  }

  const ofAccount = (name: string): string => `account:${world.digest(name)}`;
  return {
    async attempt(accountName, address) {
      // The address first: one that is spent must not use up the attempts of accounts.
      return (await waitMs(`address:${world.digest(address)}`, perAddress)) || waitMs(ofAccount(accountName), perAccount);
    },
    attemptFrom: (address) => waitMs(`address:${world.digest(address)}`, perAddress),
    async forgive(accountName) {
      await rewrite(() => attempts.deleteOne({ _id: ofAccount(accountName) }));
    },
  };
}
