// What every process depends on: MongoDB, its own clock beside MongoDB's, and Redis.
import { makeClockSkew, type ClockSkew } from "#process/clock-skew.ts";
import { watchHealth, type Health } from "#process/health.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

/**
 * `needsRedis`: whether the process is not ready without it. Awards do not need it: they continue without locks, and
 * batches wait in MongoDB.
 */
export function watchDependencies({
  connections,
  needsRedis,
  clock,
  log,
}: {
  /** `ping` returns MongoDB's time. */
  connections: { database: { ping: () => Promise<Date> }; checkRedis: () => Promise<void> };
  needsRedis: boolean;
  clock: Clock;
  log: Log;
}): { health: Health; clockSkew: ClockSkew } {
  const clockSkew = makeClockSkew({ ping: connections.database.ping, clock, log });
  const checks = {
    mongo: { check: clockSkew.checkMongo, required: true },
    clock: { check: clockSkew.check, required: true },
    redis: { check: connections.checkRedis, required: needsRedis },
  };
  return { health: watchHealth({ checks, clock, log }), clockSkew };
}
