// The connections that the API, the worker and the dashboard share: MongoDB with the stores that awards need, Redis
// with the lock and the queue.
//
// Invariant: `close` ends every connection that was opened here, however far the process got.
import type { Redis } from "ioredis";
import { makeMemberLock } from "#lock/member-lock.ts";
import { makeJobQueue } from "#queue/job-queue.ts";
import { makeCheckRedis } from "#redis/check-redis.ts";
import { openFailFastRedis, openBlockingRedis, openJobsRedis, reachRedis } from "#redis/connection.ts";
import { makeConnectionGroup } from "#redis/connection-group.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { parseRedisUrl } from "#redis/parse-url.ts";
import type { Config } from "#process/config.ts";
import type { Tracing } from "#telemetry/tracing/tracing.ts";
import { makeClanStores } from "#composition/clan-stores.ts";
import { openDatabase } from "#composition/open-database.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import type { Meter } from "#telemetry/meter.ts";

export type ConnectionsDeps = {
  config: Pick<Config, "mongoUrl" | "redisUrl">;
  clock: Clock;
  meter: Meter;
  tracing: Tracing | null;
  log: Log;
};
export type Connections = ReturnType<typeof openConnections>;

/**
 * Opens them in the background, without waiting for MongoDB or Redis. `name`: the name that MongoDB shows for the
 * process.
 */
export function openConnections({ name, config, clock, meter, tracing, log }: ConnectionsDeps & { name: string }) {
  const database = openDatabase({ url: config.mongoUrl, name, log });
  const namespace = redisNamespace(config.mongoUrl);
  const url = config.redisUrl;
  const { ignored } = parseRedisUrl(url);
  if (ignored.length > 0) log.warn({ options: ignored }, "redis.url_options_ignored");
  const group = makeConnectionGroup(log);
  // One connection each: a command that waits must not delay those of another kind.
  const openFailFast = (options: { commandMs?: number | null } = {}): Redis =>
    group.add(openFailFastRedis({ url, log, ...options }));
  const openBlocking = (): Redis => group.add(openBlockingRedis({ url, log }));
  const openJobs = (): Redis => group.add(openJobsRedis({ url, log }));
  const reach = (withinMs: number): Promise<Redis> => reachRedis({ url, log, withinMs });
  const checkRedis = makeCheckRedis({ reach, namespace, connections: group, clock });

  const lockRedis = openFailFast({ commandMs: null });
  const queueRedis = openFailFast();
  const queue = makeJobQueue({ redis: queueRedis, namespace, tracing: tracing?.jobs, log });

  return {
    database,
    namespace,
    openFailFast,
    openBlocking,
    openJobs,
    /** The queue's connection, for other commands that fail fast. */
    queueRedis,
    ...makeClanStores(database),
    lock: makeMemberLock({ redis: lockRedis, namespace, clock, meter, log }),
    queue,
    checkRedis,
    async close(): Promise<void> {
      await queue.close();
      checkRedis.close();
      group.close();
      await database.close();
    },
  };
}
