// Connections to Redis, of two kinds: one fails fast, for operations with a waiting caller; the other waits for Redis.
import type { Redis, RedisOptions } from "ioredis";
import { withTimeout } from "#async/with-timeout.ts";
import { COMMAND_MS, CONNECT_MS, BLOCKING_SILENCE_MS, RECONNECT_MAX_MS, SILENCE_MS } from "#redis/bounds.ts";
import { mastersOf, openClient } from "#redis/open-client.ts";
import { parseRedisUrl } from "#redis/parse-url.ts";
import { findUrlFault, RedisFault } from "#redis/redis-fault.ts";
import type { Log } from "#kernel/log.ts";

const common = {
  connectTimeout: CONNECT_MS,
  retryStrategy: (times: number) => Math.min(times * 50, RECONNECT_MAX_MS),
} satisfies RedisOptions;

/**
 * Commands fail immediately while Redis is unavailable, and after `commandMs` if it does not reply (null: their callers
 * have a timeout).
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
  const redis = openClient(url, {
    ...common,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    socketTimeout: SILENCE_MS,
    ...(commandMs === null ? {} : { commandTimeout: commandMs }),
    autoResendUnfulfilledCommands: false,
  });
  return logErrors(redis, log);
}

/** For subscribers, which send a PING now and then: commands wait for Redis for any time. */
export function openBlockingRedis({ url, log }: { url: string; log: Log }): Redis {
  return logErrors(openClient(url, { ...common, maxRetriesPerRequest: null, socketTimeout: BLOCKING_SILENCE_MS }), log);
}

/**
 * For BullMQ's blocking commands, which BullMQ watches: it replaces a connection that is silent for longer than Redis
 * may wait. With a timeout of the socket as well, both end together after the process was paused, and BullMQ then
 * receives no event any more (its reset gives up at the other one's error).
 */
export function openJobsRedis({ url, log }: { url: string; log: Log }): Redis {
  return logErrors(openClient(url, { ...common, maxRetriesPerRequest: null }), log);
}

/** Of a client, of its Sentinels and of its nodes: the first one does not contain the others. */
const ERRORS = ["error", "sentinelError", "node error"];

/**
 * For a process with a single task: a connection that fails fast, established within `withinMs`. Throws RedisFault if
 * the servers respond, and are not what the URL says; another error if they do not respond.
 */
export async function reachRedis({ url, log, withinMs }: { url: string; log: Log; withinMs: number }): Promise<Redis> {
  const redis = openClient(url, {
    connectTimeout: withinMs,
    commandTimeout: COMMAND_MS,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  logErrors(redis, log);
  const errors: Error[] = [];
  const collect = (error: Error): void => void errors.push(error);
  for (const event of ERRORS) redis.on(event, collect);
  try {
    // A Redis that is loading its data accepts connections and then keeps them waiting.
    await withTimeout(connected(redis), withinMs, "Redis has not answered");
    return redis;
  } catch (error) {
    redis.disconnect();
    throw findUrlFault(parseRedisUrl(url).kind, errors) ?? ofNode(error);
  } finally {
    for (const event of ERRORS) redis.off(event, collect);
  }
}

/** The client of a Cluster names no reason, but has the error of the last node. */
function ofNode(error: unknown): unknown {
  const { lastNodeError } = Object(error) as { lastNodeError?: unknown };
  return lastNodeError instanceof Error ? lastNodeError : error;
}

/**
 * Rejects with the cause, which only the event contains: `connect` itself only reports that the connection is closed.
 */
async function connected(redis: Redis): Promise<void> {
  const failure = new Promise<never>((_, reject) => redis.once("error", reject));
  await Promise.race([redis.connect(), failure]);
}

/** Without a listener an error event would end the process. Callers receive the errors of their commands. */
function logErrors(redis: Redis, log: Log): Redis {
  redis.on("error", (error) => log.debug({ err: error }, "redis.error"));
  return redis;
}

/**
 * At the start: throws if Redis responds and has an eviction policy. An unavailable Redis does not prevent the start.
 */
export async function rejectEvictingRedis({ url, log }: { url: string; log: Log }): Promise<void> {
  const redis = openClient(url, {
    ...common,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS,
    retryStrategy: () => null,
  });
  logErrors(redis, log);
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
  rejectEviction(policy);
}

/** Throws, with the fix, if Redis may evict data: an evicted job delays its batch until the recovery scan. */
export async function requireNoEviction(redis: Redis): Promise<void> {
  rejectEviction(await evictionPolicy(redis));
}

function rejectEviction(policy: string | null): void {
  if (policy !== null && policy !== "noeviction") {
    throw new RedisFault({
      detail: `Redis evicts keys (maxmemory-policy ${policy}), so queued jobs could vanish`,
      fix: "Set it: redis-cli CONFIG SET maxmemory-policy noeviction, and the same line in redis.conf.",
    });
  }
}

/** Null if the server does not report it (managed services forbid CONFIG). */
export async function evictionPolicy(redis: Redis): Promise<string | null> {
  const infos = await Promise.all(mastersOf(redis).map((master) => master.info("memory")));
  const policies = infos.map((info) => /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? null);
  return policies.find((policy) => policy !== "noeviction") ?? policies[0] ?? null;
}
