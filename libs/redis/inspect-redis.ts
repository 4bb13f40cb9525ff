// Reads the state of Redis for the doctor.
import type { Redis } from "ioredis";
import { evictionPolicy } from "#redis/connection.ts";
import { mastersOf } from "#redis/open-client.ts";
import type { Clock } from "#usecases/ports.ts";
import type { RedisFacts } from "#usecases/operations/ports.ts";

/** Throws if Redis does not respond. */
export async function inspectRedis(
  redis: Redis,
  queue: { status(): Promise<{ paused: boolean; failed: number }> },
  clock: Clock,
): Promise<Omit<RedisFacts, "ignoredOptions">> {
  const sentAt = clock.now().getTime();
  const [seconds, microseconds] = await redis.time();
  const answeredAt = clock.now().getTime();
  const [server, persistence, { paused, failed }] = await Promise.all([
    redis.info("server"),
    Promise.all(mastersOf(redis).map((master) => master.info("persistence"))),
    queue.status(),
  ]);
  const appendOnly = persistence.map((info) => /^aof_enabled:(\d)/m.exec(info)?.[1]);
  return {
    version: /^redis_version:(\S+)/m.exec(server)?.[1] ?? "0",
    evictionPolicy: await evictionPolicy(redis),
    appendOnly: appendOnly.includes(undefined) ? null : appendOnly.every((enabled) => enabled === "1"),
    // The server read its clock between the request and the reply.
    aheadMs: Number(seconds) * 1_000 + Number(microseconds) / 1_000 - (sentAt + answeredAt) / 2,
    queue: { paused, failed },
  };
}
