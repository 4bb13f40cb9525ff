// The prefix of all names of a database in Redis: a hash tag, so that a Redis Cluster stores them together.
import { databaseName } from "#mongo/mongo-url.ts";

export function redisNamespace(mongoUrl: string): string {
  return `{clanxp:${databaseName(mongoUrl)}}`;
}
