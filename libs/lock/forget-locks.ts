// Deletes what Redis stores about members: their locks, and the numbers that released locks leave. Losing a lock only
// costs a retry.
import type { Redis } from "ioredis";
import { lockName } from "#lock/lock-name.ts";
import type { MemberId } from "#domain/member-id.ts";

/** Keys in one call: a tenth of a millisecond of Redis. */
const KEYS_PER_CALL = 1_000;

/** Rejects if Redis does not respond. */
export function makeForgetLocks({
  redis,
  namespace,
}: {
  redis: Redis;
  namespace: string;
}): (members: readonly MemberId[]) => Promise<void> {
  return async (members) => {
    for (let from = 0; from < members.length; from += KEYS_PER_CALL) {
      await redis.del(...members.slice(from, from + KEYS_PER_CALL).map((member) => lockName(namespace, member)));
    }
  };
}
