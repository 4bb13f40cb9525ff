// The connections of the notifier: MongoDB, and Redis for the signal of new events. It opens no ledger, lock or queue:
// it has no way to change XP.
import { makeCheckRedis } from "#redis/check-redis.ts";
import { makeConnectionGroup } from "#redis/connection-group.ts";
import { openBlockingRedis, reachRedis } from "#redis/connection.ts";
import { joinEventSignal } from "#redis/event-signal.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { parseRedisUrl } from "#redis/parse-url.ts";
import type { Config } from "#process/config.ts";
import { openDatabase } from "#composition/open-database.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

export type Connections = ReturnType<typeof openConnections>;

/** Opens them in the background, without waiting for MongoDB or Redis. */
export function openConnections({
  config,
  clock,
  log,
}: {
  config: Pick<Config, "mongoUrl" | "redisUrl">;
  clock: Clock;
  log: Log;
}) {
  const database = openDatabase({ url: config.mongoUrl, name: "clanxp-notifier", log });
  const namespace = redisNamespace(config.mongoUrl);
  const url = config.redisUrl;
  const { ignored } = parseRedisUrl(url);
  if (ignored.length > 0) log.warn({ options: ignored }, "redis.url_options_ignored");
  const group = makeConnectionGroup(log);
  const reach = (withinMs: number) => reachRedis({ url, log, withinMs });
  const checkRedis = makeCheckRedis({ reach, namespace, connections: group, clock });
  const eventSignal = joinEventSignal({ subscriber: group.add(openBlockingRedis({ url, log })), namespace, log });

  return {
    database,
    eventSignal,
    checkRedis,
    async close(): Promise<void> {
      eventSignal.stop();
      checkRedis.close();
      group.close();
      await database.close();
    },
  };
}
