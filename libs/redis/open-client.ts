// Creates the client of ioredis for REDIS_URL, for every connection of every process: of one server, of the master that
// Sentinels name, or of a Cluster.
import { Cluster, Redis, type RedisOptions } from "ioredis";
import { TOPOLOGY_REFRESH_MS } from "#redis/bounds.ts";
import { parseRedisUrl, type RedisServers } from "#redis/parse-url.ts";

type Options = Omit<RedisOptions, "replyMapping">;

/** A client that fails fast gives up a redirected command after this many nodes, in less than a second. */
const REDIRECTIONS_MAX = 4;
const REDIRECTION_PAUSE_MS = 50;

/**
 * The options of the code apply: of the URL, only those that `parseRedisUrl` keeps. A client of a Cluster has all
 * commands that the code uses; those without a key reach any of its masters.
 */
export function openClient(url: string, given: Options): Redis {
  const servers = parseRedisUrl(url);
  const options: Options = { ...given, ...servers.access };
  if (servers.kind === "cluster") return openCluster(servers, options) as unknown as Redis;
  const [node] = servers.nodes;
  if (servers.kind === "sentinel") return new Redis(sentinelOptions(servers, options));
  const address: Options = servers.socket === null ? { ...node } : { path: servers.socket };
  const all: Options = { ...options, ...address, db: servers.db };
  return new Redis(all);
}

/** The servers that hold data. */
export function mastersOf(redis: Redis): Redis[] {
  const client: unknown = redis;
  return client instanceof Cluster ? client.nodes("master") : [redis];
}

function sentinelOptions(servers: Extract<RedisServers, { kind: "sentinel" }>, options: Options): Options {
  const { username, password, tls } = servers.sentinelAccess;
  return {
    ...options,
    sentinels: servers.nodes,
    name: servers.master,
    role: "master",
    db: servers.db,
    ...(options.retryStrategy ? { sentinelRetryStrategy: options.retryStrategy } : {}),
    ...(username === undefined ? {} : { sentinelUsername: username }),
    ...(password === undefined ? {} : { sentinelPassword: password }),
    ...(options.commandTimeout === undefined ? {} : { sentinelCommandTimeout: options.commandTimeout }),
    ...(tls === undefined ? {} : { sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
}

function openCluster({ nodes }: RedisServers, options: Options): Cluster {
  const { retryStrategy, enableOfflineQueue = true, lazyConnect = false, ...redisOptions } = options;
  return new Cluster(nodes, {
    redisOptions,
    enableOfflineQueue,
    lazyConnect,
    clusterRetryStrategy: retryStrategy,
    // A node that is asked right after a failover may not know of it yet, and its answer would be kept: a subscriber
    // would remain with a node that no longer has its channels.
    slotsRefreshInterval: TOPOLOGY_REFRESH_MS,
    // The owner of a channel's slot knows all its receivers (projection-requests.ts).
    shardedSubscribers: true,
    // A certificate is valid for a name; by default the client would connect to its address.
    ...(redisOptions.tls ? { dnsLookup: (name, done) => done(null, name) } : {}),
    ...(enableOfflineQueue
      ? {}
      : {
          maxRedirections: REDIRECTIONS_MAX,
          retryDelayOnFailover: REDIRECTION_PAUSE_MS,
          retryDelayOnClusterDown: REDIRECTION_PAUSE_MS,
          retryDelayOnTryAgain: REDIRECTION_PAUSE_MS,
        }),
  });
}
