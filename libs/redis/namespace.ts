// What everything in Redis that belongs to a database is named by: a hash tag, so that a Redis Cluster keeps it
// together.
import { databaseName } from "#store/database-name.ts";

export function redisNamespace(mongoUrl: string): string {
  return `{clanxp:${databaseName(mongoUrl)}}`;
}
