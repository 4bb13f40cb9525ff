// Creates the client of ioredis for REDIS_URL, for every connection of every process.
import { Redis, type RedisOptions } from "ioredis";
import { parseRedisUrl } from "#redis/parse-url.ts";

type Options = Omit<RedisOptions, "replyMapping">;

/** The options of the code apply: of the URL, only those that `parseRedisUrl` keeps. */
export function openClient(url: string, given: Options): Redis {
  const servers = parseRedisUrl(url);
  const options: Options = { ...given, ...servers.access };
  if (servers.kind !== "single") throw new Error(`${servers.kind} is not supported`);
  const [node] = servers.nodes;
  const address: Options = servers.socket === null ? { ...node } : { path: servers.socket };
  const all: Options = { ...options, ...address, db: servers.db };
  return new Redis(all);
}
