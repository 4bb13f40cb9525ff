// The clock of the server that holds a key: the nodes of a Cluster have one each.
import type { Redis } from "ioredis";

export async function serverTimeMs(redis: Redis, key: string): Promise<number> {
  return Number(await redis.eval("return redis.call('TIME')[1]", 1, key)) * 1_000;
}
