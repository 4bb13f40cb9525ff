// Where a text is stored: every collection, and every key that Redis holds of a world, names and values alike.
import { redisNamespace } from "#redis/namespace.ts";
import { openTestRedis, type World } from "./world.ts";

/** The collections and Redis keys that hold it anywhere. */
export async function whereIs(
  world: Pick<World, "database" | "mongoUrl" | "redisUrl">,
  text: string,
): Promise<string[]> {
  return [...(await collectionsWith(world, text)), ...(await keysWith(world, text))];
}

async function collectionsWith({ database }: Pick<World, "database">, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const collection of await database.db().collections()) {
    for await (const doc of collection.find()) {
      if (textOf(doc).includes(text)) found.push(`${collection.collectionName}: ${textOf(doc)}`);
    }
  }
  return found;
}

async function keysWith({ mongoUrl, redisUrl }: Pick<World, "mongoUrl" | "redisUrl">, text: string): Promise<string[]> {
  const redis = openTestRedis(redisUrl);
  try {
    const found: string[] = [];
    for (const key of await redis.keys(`${redisNamespace(mongoUrl)}*`)) {
      const type = await redis.type(key);
      const read: Record<string, () => Promise<unknown>> = {
        string: () => redis.get(key),
        hash: () => redis.hgetall(key),
        list: () => redis.lrange(key, 0, -1),
        set: () => redis.smembers(key),
        zset: () => redis.zrange(key, "0", "-1"),
        stream: () => redis.xrange(key, "-", "+"),
      };
      const value = textOf([key, await read[type]?.()]);
      if (value.includes(text)) found.push(`Redis ${type}: ${value}`);
    }
    return found;
  } finally {
    redis.disconnect();
  }
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? part.toString() : part));
}
