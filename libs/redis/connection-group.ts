// The connections of one process to Redis, which must all reach the same server: a failover, a proxy or DNS can move
// new connections to another one and leave the old ones alive. A subscriber that stays behind receives no error.
//
// Invariant: a connection, or a copy of it that BullMQ makes, is only reconnected if it is known to reach another
// server.
import type { Redis } from "ioredis";
import type { Log } from "#kernel/log.ts";

export type ConnectionGroup = {
  /** Adds a connection, and every copy that is made of it. Returns it. */
  add(redis: Redis): Redis;
  /** Whether all that were added are established. */
  areReady(): boolean;
  /** Reconnects those that reach another server than the one with this run id. */
  moveTo(runId: string): void;
  close(): void;
};

export function makeConnectionGroup(log: Log): ConnectionGroup {
  const added: Redis[] = [];
  /** With the run id of the server that each one reaches; null: not known. */
  const runIds = new Map<Redis, string | null>();

  function follow(redis: Redis): Redis {
    runIds.set(redis, null);
    redis.on("ready", () => void noteServer(redis));
    redis.on("close", () => runIds.has(redis) && runIds.set(redis, null));
    redis.once("end", () => runIds.delete(redis));
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = (...options) => follow(duplicate(...options));
    return redis;
  }

  /** On a connection that waits for jobs, the reply comes after that of the blocking command. */
  async function noteServer(redis: Redis): Promise<void> {
    try {
      const runId = await readRunId(redis);
      if (runIds.has(redis)) runIds.set(redis, runId);
    } catch (error) {
      log.debug({ err: error }, "redis.server_unknown");
    }
  }

  return {
    add(redis) {
      added.push(redis);
      return follow(redis);
    },
    areReady: () => added.every(({ status }) => status === "ready"),
    moveTo(runId) {
      const behind = [...runIds].filter(([, reached]) => reached !== null && reached !== runId);
      if (behind.length === 0) return;
      log.warn({ connections: behind.length }, "redis.server_changed");
      for (const [redis] of behind) redis.disconnect(true);
    },
    close() {
      for (const redis of added) redis.disconnect();
    },
  };
}

/**
 * It changes with every start of a server. Null if the service does not report it, and for a Cluster, whose client
 * follows its masters itself.
 */
export async function readRunId(redis: Redis): Promise<string | null> {
  if (redis.isCluster) return null;
  return /^run_id:(\S+)/m.exec(await redis.info("server"))?.[1] ?? null;
}
