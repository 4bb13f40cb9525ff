// Keeps processes out of each other's way: one Lua call takes the locks of a whole flight. A courtesy only: the transaction decides,
// so a lock that is lost, expired or held twice costs a retry and nothing else. Redis away: no lock, counted, never an error.
import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import { LOCK_COMMAND_MS, LOCK_REST_MS, LOCK_TTL_MS } from "#lock/bounds.ts";
import type { Clock, HeldLocks, Log, MemberId, MemberLock, Meter } from "#usecases/ports.ts";
import { within } from "#usecases/within.ts";

/** Takes what is free of KEYS and answers their positions. ARGV: token, TTL in ms. */
const ACQUIRE = `
local granted = {}
for i, key in ipairs(KEYS) do
  if redis.call('SET', key, ARGV[1], 'NX', 'PX', ARGV[2]) then granted[#granted + 1] = i end
end
return granted`;

/** Gives back what still is ours: an expired holder must not free its successor's lock. ARGV: token. */
const RELEASE = `
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
end`;

type LockCommands = {
  acquireLocks(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<number[]>;
  releaseLocks(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<null>;
};

/** `redis` must fail fast, but wait for a late reply. `namespace` is a Redis Cluster hash tag, the same for all locks. */
export function makeMemberLock(world: { redis: Redis; namespace: string; clock: Clock; meter: Meter; log: Log }): MemberLock {
  const { redis, clock, log } = world;
  redis.defineCommand("acquireLocks", { lua: ACQUIRE });
  redis.defineCommand("releaseLocks", { lua: RELEASE });
  const commands = redis as unknown as LockCommands;
  let restUntilMs = 0;

  function goWithout(members: readonly MemberId[]): HeldLocks {
    world.meter.lockSkipped();
    return { granted: new Set(members), release() {} };
  }

  function giveBack(keys: readonly string[], token: string): void {
    if (keys.length === 0) return;
    // A release that gets lost is mended by the TTL.
    commands.releaseLocks(keys.length, ...keys, token).catch((error: unknown) => log.debug({ err: error }, "lock.not_released"));
  }

  return {
    async acquire(members) {
      if (clock.monotonicMs() < restUntilMs) return goWithout(members);
      const keys = members.map((member) => `${world.namespace}:lock:${member}`);
      const token = randomBytes(12).toString("base64url");
      const reply = commands.acquireLocks(keys.length, ...keys, token, LOCK_TTL_MS);
      try {
        const positions = await within(LOCK_COMMAND_MS, reply, "Redis has not answered");
        const granted = new Set(positions.map((position) => members[position - 1]).filter((member) => member !== undefined));
        const held = positions.map((position) => keys[position - 1]).filter((key) => key !== undefined);
        return { granted, release: () => giveBack(held, token) };
      } catch (error) {
        log.debug({ err: error }, "lock.skipped");
        restUntilMs = clock.monotonicMs() + LOCK_REST_MS;
        // A Redis that was only slow grants them yet: nobody would hold them, and everybody wait for them.
        reply.then(() => giveBack(keys, token)).catch(() => {});
        return goWithout(members);
      }
    },
  };
}
