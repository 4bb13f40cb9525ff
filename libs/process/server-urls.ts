// MONGO_URL and REDIS_URL, for every process and for the command line: read and checked whole before anything connects.
import { namesSentinels, placeOfRedis, redisUrlFaults, withSentinelUser } from "#redis/parse-url.ts";
import { readSetting } from "#process/read-setting.ts";
import { mongoUrlFaults, placeOfMongo } from "#mongo/mongo-url.ts";

export const SERVER_SETTINGS = [
  "MONGO_URL",
  "REDIS_URL",
  "REDIS_SENTINEL_USERNAME",
  "REDIS_SENTINEL_PASSWORD",
] as const;

/** Null: not set. `redisUrl` includes Sentinel's own user, if there is one. */
export type ServerUrls = { mongoUrl: string | null; redisUrl: string | null };

export function readServerUrls(env: Readonly<Record<string, string | undefined>>, faults: string[]): ServerUrls {
  const mongoUrl = readSetting(env, "MONGO_URL", faults);
  const redisUrl = readSetting(env, "REDIS_URL", faults);
  const username = readSetting(env, "REDIS_SENTINEL_USERNAME", faults);
  const password = readSetting(env, "REDIS_SENTINEL_PASSWORD", faults);
  if (mongoUrl !== null) faults.push(...mongoUrlFaults(mongoUrl).map((fault) => `MONGO_URL ${fault}`));
  if (redisUrl === null) return { mongoUrl, redisUrl };
  faults.push(...redisUrlFaults(redisUrl).map((fault) => `REDIS_URL ${fault}`));
  if (namesSentinels(redisUrl)) return { mongoUrl, redisUrl: withSentinelUser(redisUrl, { username, password }) };
  const given = Object.entries({ REDIS_SENTINEL_USERNAME: username, REDIS_SENTINEL_PASSWORD: password });
  for (const [name, value] of given)
    if (value !== null) faults.push(`${name} is set, but REDIS_URL names no Sentinel: keep one`);
  return { mongoUrl, redisUrl };
}

/** Whether both URLs lead to the same data, in whichever spelling and for whichever user. */
export function isSameServer(one: string, other: string): boolean {
  return placeOf(one) === placeOf(other);
}

/** An unusable URL leads nowhere else than its text says. */
function placeOf(url: string): string {
  try {
    return url.startsWith("mongodb") ? placeOfMongo(url) : placeOfRedis(url);
  } catch {
    return url;
  }
}
