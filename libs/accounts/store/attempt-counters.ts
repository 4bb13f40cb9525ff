// Counters of sign-in attempts in MongoDB, shared by all processes. Each counter begins again when its window is over.
import type { AttemptDoc } from "#accounts/store/attempt-model.ts";
import type { Database } from "#mongo/database.ts";
import { read, rewrite } from "#mongo/mongo-calls.ts";
import { isDuplicateKey } from "#mongo/mongo-errors.ts";
import type { Clock } from "#kernel/clock.ts";

export type AttemptCounter = { id: string; max: number; windowMs: number };

export type AttemptCounters = {
  /** Counts an attempt. Returns the milliseconds until another one is permitted; 0: this one is. */
  count(counter: AttemptCounter): Promise<number>;
  /**
   * Milliseconds until each of them permits another attempt. Only reads: a rejected attempt is neither counted nor
   * stored.
   */
  spentMs(counters: readonly AttemptCounter[]): Promise<number>;
  /** Subtracts one attempt from each of them. */
  subtract(counters: readonly AttemptCounter[]): Promise<void>;
  reset(counter: AttemptCounter): Promise<void>;
};

export function makeAttemptCounters(deps: { database: Pick<Database, "db">; clock: Clock }): AttemptCounters {
  const attempts = () => deps.database.db().collection<AttemptDoc>("sign_in_attempts");

  /** One write, so that concurrent attempts are counted individually. */
  async function addOne({ id, windowMs }: AttemptCounter): Promise<AttemptDoc | null> {
    const now = deps.clock.now();
    const isOpen = { $gt: ["$expiresAt", now] };
    const update = {
      $set: {
        count: { $cond: [isOpen, { $add: ["$count", 1] }, 1] },
        expiresAt: { $cond: [isOpen, "$expiresAt", new Date(now.getTime() + windowMs)] },
      },
    };
    return attempts().findOneAndUpdate({ _id: id }, [update], { upsert: true, returnDocument: "after" });
  }

  return {
    async count(counter) {
      const counted = await rewrite(async () => {
        try {
          return await addOne(counter);
        } catch (error) {
          // Two concurrent first attempts: the other one has inserted the counter by now.
          if (isDuplicateKey(error)) return addOne(counter);
          throw error;
        }
      });
      if (!counted || counted.count <= counter.max) return 0;
      return Math.max(1, counted.expiresAt.getTime() - deps.clock.now().getTime());
    },

    async spentMs(counters) {
      const found = await read(() =>
        attempts()
          .find({ _id: { $in: counters.map(({ id }) => id) } })
          .toArray(),
      );
      const now = deps.clock.now().getTime();
      const waits = counters.map(({ id, max }) => {
        const counted = found.find(({ _id }) => _id === id);
        return counted && counted.count >= max ? counted.expiresAt.getTime() - now : 0;
      });
      return Math.max(0, ...waits);
    },

    async subtract(counters) {
      const counted = { _id: { $in: counters.map(({ id }) => id) }, count: { $gt: 0 } };
      await rewrite(() => attempts().updateMany(counted, { $inc: { count: -1 } }));
    },

    async reset({ id }) {
      await rewrite(() => attempts().deleteOne({ _id: id }));
    },
  };
}
