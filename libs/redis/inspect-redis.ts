// Reads the state of Redis for the doctor.
import type { Redis } from "ioredis";
import { evictionPolicy } from "#redis/connection.ts";
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
    redis.info("persistence"),
    queue.status(),
  ]);
  const appendOnly = /^aof_enabled:(\d)/m.exec(persistence)?.[1];
  return {
    version: /^redis_version:(\S+)/m.exec(server)?.[1] ?? "0",
    evictionPolicy: await evictionPolicy(redis),
    appendOnly: appendOnly === undefined ? null : appendOnly === "1",
    // The server read its clock between the request and the reply.
    aheadMs: Number(seconds) * 1_000 + Number(microseconds) / 1_000 - (sentAt + answeredAt) / 2,
    queue: { paused, failed },
  };
}
