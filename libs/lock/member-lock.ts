// Reduces conflicts between processes: one Lua call takes the locks of a whole commit group, and returns for each
// member the `seq` at which it was last released. Advisory only: the ledger's unique indexes decide. A lock that is
// lost, expired or held twice, and a seq that is missing or wrong, only cost a retry or a read. Without Redis there
// is no lock; this is counted, and never an error.
import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import { LOCK_REST_MS, LOCK_TTL_MS, SEQ_TTL_MS } from "#lock/bounds.ts";
import { lockName } from "#lock/lock-name.ts";
import { LOCK_COMMAND_MS } from "#redis/bounds.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import type { HeldLocks, LedgerMeter, MemberLock } from "#ledger/ports.ts";
import type { MemberId } from "#domain/member-id.ts";
import { withTimeout } from "#async/with-timeout.ts";

/**
 * A key contains its holder's token or, once released, "#" and a seq: if the holder crashes, the seq is lost.
 * Takes the free ones of KEYS, and returns for each its seq, "" if there is none, and nil if another process holds
 * it. ARGV: token, TTL in ms.
 */
const ACQUIRE = `
local found = redis.call('MGET', unpack(KEYS))
for i, key in ipairs(KEYS) do
  local value = found[i]
  if value and string.byte(value) ~= 35 then found[i] = false
  else
    redis.call('SET', key, ARGV[1], 'PX', ARGV[2])
    found[i] = value and string.sub(value, 2) or ''
  end
end
return found`;

/**
 * Releases only the locks that this process still holds: an expired holder must not release its successor's lock. ARGV:
 * token, TTL of the seqs in ms, and for each key its seq, or "" if it is not known.
 */
const RELEASE = `
for i, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then
    if ARGV[i + 2] == '' then redis.call('DEL', key)
    else redis.call('SET', key, '#' .. ARGV[i + 2], 'PX', ARGV[2]) end
  end
end`;

type LockCommands = {
  acquireLocks(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<(string | null)[]>;
  releaseLocks(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<null>;
};

/**
 * `redis` must fail fast, but process a late reply. `namespace` is a Redis Cluster hash tag, the same for all locks.
 */
export function makeMemberLock(deps: {
  redis: Redis;
  namespace: string;
  clock: Clock;
  meter: Pick<LedgerMeter, "lockSkipped">;
  log: Log;
}): MemberLock {
  const { redis, clock, log } = deps;
  redis.defineCommand("acquireLocks", { lua: ACQUIRE });
  redis.defineCommand("releaseLocks", { lua: RELEASE });
  const commands = redis as unknown as LockCommands;
  const keyOf = (member: MemberId): string => lockName(deps.namespace, member);
  let restUntilMs = 0;

  function goWithout(members: readonly MemberId[]): HeldLocks {
    deps.meter.lockSkipped();
    return { granted: new Set(members), seqs: new Map(), release() {} };
  }

  function releaseLocks(members: readonly MemberId[], token: string, seqs: ReadonlyMap<MemberId, number>): void {
    if (members.length === 0) return;
    const stored = members.map((member) => seqs.get(member) ?? "");
    commands
      .releaseLocks(members.length, ...members.map(keyOf), token, SEQ_TTL_MS, ...stored)
      // If a release is lost, the TTL ends the lock.
      .catch((error: unknown) => log.debug({ err: error }, "lock.release_failed"));
  }

  return {
    async acquire(members) {
      if (clock.monotonicMs() < restUntilMs) return goWithout(members);
      const token = randomBytes(12).toString("base64url");
      const reply = commands.acquireLocks(members.length, ...members.map(keyOf), token, LOCK_TTL_MS);
      try {
        const found = await withTimeout(reply, LOCK_COMMAND_MS, "Redis has not answered");
        const held = members.filter((_, index) => typeof found[index] === "string");
        const seqs = new Map(members.flatMap((member, index) => seqIn(member, found[index])));
        return { granted: new Set(held), seqs, release: (now) => releaseLocks(held, token, now) };
      } catch (error) {
        log.debug({ err: error }, "lock.skipped");
        restUntilMs = clock.monotonicMs() + LOCK_REST_MS;
        // If Redis was only slow, it still grants the locks: no process would know that it holds them, and all would
        // wait for them.
        reply.then(() => releaseLocks(members, token, new Map())).catch(() => {});
        return goWithout(members);
      }
    },
  };
}

function seqIn(member: MemberId, stored: string | null | undefined): [MemberId, number][] {
  const seq = stored ? Number(stored) : NaN;
  return Number.isSafeInteger(seq) && seq >= 0 ? [[member, seq]] : [];
}
