// The command's connections: opened on demand, each driver loaded only then, all closed at the end. Invariant: an
// unreachable server is reported within REACH_MS, as CliError `unreachable`.
import type { Redis } from "ioredis";
import { redisNamespace } from "#redis/namespace.ts";
import { parseRedisUrl } from "#redis/parse-url.ts";
import { RedisFault } from "#redis/redis-fault.ts";
import { joinProjectionRequests, type ProjectionRequests } from "#redis/projection-requests.ts";
import { systemClock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import { hostsOf, withoutCredentials } from "#process/credentials.ts";
import type { Log } from "#kernel/log.ts";
import { CliError } from "../cli-error.ts";
import type { FoundServers, ReadSettings } from "./environment.ts";
import { load } from "./load.ts";
import type { Stores } from "./stores.ts";

/** With this timeout, a command takes less than 5 s, including npx, Node and the drivers. */
const REACH_MS = 2_500;

export type Servers = {
  /** MongoDB's stores, over the database as it is: nothing is created. */
  stores(): Promise<Stores>;
  /**
   * The same over a database with its collections and indexes, which may be missing before the first API or worker
   * runs: for commands that insert.
   */
  preparedStores(): Promise<Stores>;
  /** Fails fast. */
  redis(): Promise<Redis>;
  /** Makes every process project its heads of a clan, before its members are listed. */
  projections(): Promise<Pick<ProjectionRequests, "catchUp">>;
  /** Whether single awards are served now; no, if Redis is unavailable. */
  areAwardsServed(): Promise<boolean>;
  /** The command has made changes, which may have events. Never rejects: without Redis, these come a little later. */
  announceChanges(): Promise<void>;
  /** Options of REDIS_URL that are ignored. Needs no server. */
  ignoredRedisOptions(): string[];
  /** The prefix of all names of this installation in Redis. Needs no server. */
  namespace(): string;
  close(): Promise<void>;
};

/** People read the command's own messages; what drivers log is discarded. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

export function makeServers(settings: ReadSettings): Servers {
  const closers: (() => Promise<void>)[] = [];
  const found = once(() => settings("servers").servers);

  const urlOf = (name: "MONGO_URL" | "REDIS_URL"): string => urlIn(found(), name);

  async function openStores(prepare: boolean): Promise<Stores> {
    const url = urlOf("MONGO_URL");
    const [{ reachDatabase }, { makeStores }] = await Promise.all([load.database(), load.stores()]);
    try {
      const database = await reachDatabase({ url, log: silentLog, name: "clanxp-cli", withinMs: REACH_MS, prepare });
      closers.push(() => database.close());
      return makeStores(database);
    } catch (error) {
      throw unreachable("MongoDB", "MONGO_URL", url, error);
    }
  }

  async function openRedis(): Promise<Redis> {
    const url = urlOf("REDIS_URL");
    const { reachRedis } = await load.redis();
    try {
      const redis = await reachRedis({ url, log: silentLog, withinMs: REACH_MS });
      closers.push(async () => redis.disconnect());
      return redis;
    } catch (error) {
      throw unreachable("Redis", "REDIS_URL", url, error);
    }
  }
  const redis = once(openRedis);

  const namespace = () => redisNamespace(urlOf("MONGO_URL"));

  return {
    stores: once(() => openStores(false)),
    preparedStores: once(() => openStores(true)),
    redis,
    projections: once(async () => {
      const [publisher, subscriber] = await Promise.all([redis(), openRedis()]);
      const [clock, log] = [systemClock, silentLog];
      const own = { namespace: namespace(), processId: makeIds(clock).award(), flush: null, oldestAgeMs: () => 0 };
      const joined = joinProjectionRequests({ publisher, subscriber, ...own, clock, log });
      closers.push(async () => joined.stop());
      return joined;
    }),
    async areAwardsServed() {
      const { makeReadPriority } = await load.priority();
      return redis().then(
        (client) => makeReadPriority({ redis: client, namespace: namespace(), log: silentLog })(),
        () => false,
      );
    },
    async announceChanges() {
      const { makeAnnounceEvents, UNNUMBERED } = await load.eventSignal();
      await redis()
        .then((client) => makeAnnounceEvents({ redis: client, namespace: namespace(), log: silentLog })(UNNUMBERED))
        .catch(() => {});
    },
    ignoredRedisOptions: () => parseRedisUrl(urlOf("REDIS_URL")).ignored,
    namespace,
    async close() {
      await Promise.allSettled(closers.map((close) => close()));
    },
  };
}

function urlIn(servers: FoundServers, name: "MONGO_URL" | "REDIS_URL"): string {
  const url = name === "MONGO_URL" ? servers.mongoUrl : servers.redisUrl;
  if (url !== null) return url;
  throw new CliError("unreachable", whyUnknown(name, servers));
}

function whyUnknown(name: string, { notedIn, foreign }: FoundServers): string {
  if (foreign !== null)
    return `${foreign} names another server than the npm start that wrote ${notedIn}, so its ${name} is not used. Set ${name}, too.`;
  return `No servers are known. Start them with npm start, or set ${name}. (It was not set, and ${notedIn} does not name one.)`;
}

function unreachable(server: string, setting: string, url: string, cause: unknown): CliError {
  const why =
    cause instanceof RedisFault
      ? cause.message
      : `${phrase(rootMessage(cause))}. Is npm start running, and is ${setting} correct?`;
  return new CliError("unreachable", `${server} at ${hostsOf(url)} cannot be used: ${why}`, { cause });
}

/** A message without its full stop, to be followed by one. */
export function phrase(message: string): string {
  return message.replace(/\.$/, "");
}

/** The message of the innermost error, because drivers wrap errors. */
export function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return rootMessage(error.cause);
  return withoutCredentials(error.message) || error.name;
}

/** The first result again, also if it is rejected. */
function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
