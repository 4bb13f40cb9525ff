// Reads the state of Redis for the doctor. Changes nothing.
import type { Redis } from "ioredis";
import { clockDifference } from "#async/clock-difference.ts";
import { evictionPolicy } from "#redis/connection.ts";
import { mastersOf } from "#redis/open-client.ts";
import { findRedisFault } from "#redis/redis-fault.ts";
import type { Clock } from "#kernel/clock.ts";
import type { RedisFacts } from "#operations/ports.ts";

/** Throws if Redis does not respond. */
export async function inspectRedis(deps: {
  redis: Redis;
  namespace: string;
  queue: { status(): Promise<{ paused: boolean; failed: number }> };
  clock: Clock;
}): Promise<Omit<RedisFacts, "ignoredOptions">> {
  const { redis, namespace, queue, clock } = deps;
  const fault = await findRedisFault(redis, namespace);
  // A Sentinel and the wrong node of a Cluster answer some of these questions only.
  const known = <T>(reading: Promise<T>): Promise<T | null> => (fault ? reading.catch(() => null) : reading);
  const aheadMs = await known(readAheadMs(redis, clock));
  const ofMasters = (section: string): Promise<string[]> =>
    Promise.all(mastersOf(redis).map((master) => master.info(section)));
  const [server, memory, persistence, policy, status] = await Promise.all([
    redis.info("server"),
    ofMasters("memory"),
    ofMasters("persistence"),
    evictionPolicy(redis),
    known(queue.status()),
  ]);
  const appendOnly = persistence.map((info) => /^aof_enabled:(\d)/m.exec(info)?.[1]);
  return {
    version: /^redis_version:(\S+)/m.exec(server)?.[1] ?? null,
    valkeyVersion: /^valkey_version:(\S+)/m.exec(server)?.[1] ?? null,
    fault,
    evictionPolicy: policy,
    memoryUsed: memoryUsedIn(memory),
    appendOnly: appendOnly.includes(undefined) ? null : appendOnly.every((enabled) => enabled === "1"),
    aheadMs,
    queue: status && { paused: status.paused, failed: status.failed },
  };
}

async function readAheadMs(redis: Redis, clock: Clock): Promise<number> {
  const sentMs = clock.now().getTime();
  const [seconds, microseconds] = await redis.time();
  const otherMs = Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
  return clockDifference({ otherMs, sentMs, answeredMs: clock.now().getTime() });
}

/** That of the fullest master; null if none has a limit. */
function memoryUsedIn(infos: readonly string[]): number | null {
  const shares = infos.flatMap((info) => {
    const [used, max] = ["used_memory", "maxmemory"].map((name) =>
      Number(new RegExp(`^${name}:(\\d+)`, "m").exec(info)?.[1]),
    );
    return used !== undefined && max ? [used / max] : [];
  });
  return shares.length === 0 ? null : Math.max(...shares);
}
