// Deletes the data about members in Redis: their locks, and the seqs that are stored when locks are released. Losing
// a lock only costs a retry.
import type { Redis } from "ioredis";
import { chunks } from "#async/chunks.ts";
import { lockName } from "#lock/lock-name.ts";
import type { MemberId } from "#domain/member-id.ts";

/** Keys in one call, which takes Redis 0.1 ms. */
const KEYS_PER_CALL = 1_000;

/** Rejects if Redis does not respond. */
export function makeDeleteLocks({
  redis,
  namespace,
}: {
  redis: Redis;
  namespace: string;
}): (members: readonly MemberId[]) => Promise<void> {
  return async (members) => {
    for (const group of chunks(members, KEYS_PER_CALL)) {
      await redis.del(...group.map((member) => lockName(namespace, member)));
    }
  };
}
