// Connections to Redis. Two kinds: one fails fast, for whoever has a caller waiting; one waits for Redis, for whoever
// has not.
import { Redis, type RedisOptions } from "ioredis";
import { COMMAND_MS, CONNECT_MS, PATIENT_SILENCE_MS, RECONNECT_MAX_MS, SILENCE_MS } from "#redis/bounds.ts";
import type { Log } from "#usecases/ports.ts";

const common = {
  connectTimeout: CONNECT_MS,
  retryStrategy: (times: number) => Math.min(times * 50, RECONNECT_MAX_MS),
} satisfies RedisOptions;

/**
 * Commands fail at once while Redis is away, and after `commandMs` when it is silent (null: their callers have a limit
 * of their own).
 */
export function openFailFastRedis({
  url,
  log,
  commandMs = COMMAND_MS,
}: {
  url: string;
  log: Log;
  commandMs?: number | null;
}): Redis {
  const redis = new Redis(url, {
    ...common,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    socketTimeout: SILENCE_MS,
    ...(commandMs === null ? {} : { commandTimeout: commandMs }),
    autoResendUnfulfilledCommands: false,
  });
  return quiet(redis, log);
}

/** Commands wait for Redis as long as it takes: what BullMQ's blocking connections need. */
export function openPatientRedis({ url, log }: { url: string; log: Log }): Redis {
  return quiet(new Redis(url, { ...common, maxRetriesPerRequest: null, socketTimeout: PATIENT_SILENCE_MS }), log);
}

/**
 * For a process with one thing to do: a connection that fails fast, reached within `withinMs`. Throws when Redis does
 * not answer.
 */
export async function reachRedis({ url, log, withinMs }: { url: string; log: Log; withinMs: number }): Promise<Redis> {
  const redis = new Redis(url, {
    connectTimeout: withinMs,
    commandTimeout: COMMAND_MS,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  quiet(redis, log);
  try {
    await connected(redis);
    return redis;
  } catch (error) {
    redis.disconnect();
    throw error;
  }
}

/**
 * Rejects with what went wrong, which the event alone tells: connect itself only says that the connection is closed.
 */
async function connected(redis: Redis): Promise<void> {
  const failure = new Promise<never>((_, reject) => redis.once("error", reject));
  await Promise.race([redis.connect(), failure]);
}

/** Without a listener an error event would end the process; the failing commands tell their callers. */
function quiet(redis: Redis, log: Log): Redis {
  redis.on("error", (error) => log.debug({ err: error }, "redis.error"));
  return redis;
}

/** At start-up: throws when Redis answers and evicts. A Redis that is away is no reason not to start. */
export async function refuseEvictingRedis({ url, log }: { url: string; log: Log }): Promise<void> {
  const redis = new Redis(url, {
    ...common,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS,
    retryStrategy: () => null,
  });
  quiet(redis, log);
  let policy: string | null;
  try {
    await connected(redis);
    policy = await evictionPolicy(redis);
  } catch (error) {
    log.warn({ err: error }, "redis.unreachable");
    return;
  } finally {
    redis.disconnect();
  }
  refuseEviction(policy);
}

/**
 * Throws with the way out where Redis may throw data away: a job that is evicted is a batch that waits for the recovery
 * scan.
 */
export async function requireNoEviction(redis: Redis): Promise<void> {
  refuseEviction(await evictionPolicy(redis));
}

function refuseEviction(policy: string | null): void {
  if (policy !== null && policy !== "noeviction") {
    throw new Error(
      `Redis evicts keys (maxmemory-policy ${policy}), so queued jobs could vanish. ` +
        "Set it: redis-cli CONFIG SET maxmemory-policy noeviction, and the same line in redis.conf.",
    );
  }
}

/** Null where the server does not tell (managed services forbid CONFIG). */
export async function evictionPolicy(redis: Redis): Promise<string | null> {
  const info = await redis.info("memory");
  return /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? null;
}
