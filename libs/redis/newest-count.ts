// The newest count that a worker has read from MongoDB (libs/operations/notice-restore.ts). Redis is no part of
// a backup, so it still has the count after MongoDB has lost it.
import type { Redis } from "ioredis";
import type { NewestCount } from "#operations/ports.ts";

/** Throws what Redis throws. `redis` must fail fast. */
export function makeNewestCount({ redis, namespace }: { redis: Redis; namespace: string }): NewestCount {
  const name = `${namespace}:newest-count`;
  return {
    read: async () => Number((await redis.get(name)) ?? 0),
    async write(count) {
      await redis.set(name, count);
    },
  };
}
