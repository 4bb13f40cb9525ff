// Why a Redis that responds cannot do its work, in words, and how to fix it. Readiness, the doctor and the command line
// use the same checks, so that they report the same.
import type { Redis } from "ioredis";
import type { RedisServers } from "#redis/parse-url.ts";

/** The message is for people: what is wrong, and the fix. */
export class RedisFault extends Error {
  readonly detail: string;
  readonly fix: string;

  constructor({ detail, fix }: { detail: string; fix: string }, cause?: unknown) {
    super(`${detail}. ${fix}`, { cause });
    this.name = "RedisFault";
    this.detail = detail;
    this.fix = fix;
  }
}

/**
 * What every job needs: a script that writes to a key of this installation. Redis checks its role, slots, memory, disk
 * and the user's rights before it finds that the key does not exist, so nothing is written.
 */
const TRY_WRITE = `return redis.call('SET', KEYS[1], '', 'XX')`;

/** By the code that begins an error reply; within a script, another text may precede it. */
const FAULTS: readonly { code: RegExp; detail: string; fix: string }[] = [
  {
    code: /\bOOM\b/,
    detail: "Redis is full: its memory has reached maxmemory, so it rejects writes",
    fix: "Raise maxmemory (redis-cli CONFIG SET maxmemory <bytes>, and the same line in redis.conf), or delete other data from it.",
  },
  {
    code: /\bREADONLY\b/,
    detail: "Redis is a read-only replica here, so it rejects writes",
    fix: "Set REDIS_URL to the address of the primary, or to an address that follows the primary.",
  },
  {
    code: /\bMASTERDOWN\b/,
    detail: "Redis is a replica here that has lost its primary",
    fix: "Set REDIS_URL to the address of the primary, or to an address that follows the primary.",
  },
  {
    code: /\bMOVED\b|\bASK\b/,
    detail: "Redis is a node of a Redis Cluster here that does not own the keys of this installation",
    fix: "Begin REDIS_URL with redis+cluster:// (docs/how-to/mongodb-and-redis.md#redis).",
  },
  {
    code: /\bCLUSTERDOWN\b/,
    detail: "Redis is a Redis Cluster here that does not serve the keys of this installation",
    fix: "Bring its nodes and slots back: redis-cli CLUSTER INFO names what is missing.",
  },
  {
    code: /\bMISCONF\b/,
    detail: "Redis cannot save its data to disk, so it rejects writes",
    fix: "Free disk space, and read the log of Redis: redis-cli INFO persistence shows the failed save.",
  },
  {
    code: /\bNOREPLICAS\b/,
    detail: "Redis has fewer replicas than min-replicas-to-write requires, so it rejects writes",
    fix: "Bring its replicas back, or lower min-replicas-to-write.",
  },
  {
    code: /\bNOPERM\b/,
    detail: "The user of REDIS_URL lacks a right that the service needs",
    fix: "Give the user the rights in docs/how-to/mongodb-and-redis.md#redis.",
  },
];

const SENTINEL = {
  detail: "REDIS_URL names a Sentinel, which stores no data",
  fix: "Set REDIS_URL to redis+sentinel://<host>:<port>/<name of the master> (docs/how-to/mongodb-and-redis.md#redis).",
};

const FORMS = "docs/how-to/mongodb-and-redis.md#redis";
/** What the client reports of servers that respond, and are not what REDIS_URL says. */
const URL_FAULTS: readonly { kind: RedisServers["kind"] | null; reported: RegExp; detail: string; fix: string }[] = [
  {
    kind: "sentinel",
    reported: /to sentinel .*(?:invalid reply: null|No such master)/,
    detail: "The Sentinels in REDIS_URL know no master of the name at its end",
    fix: "Set the name at the end of REDIS_URL to that of your master: redis-cli -p 26379 SENTINEL masters lists them.",
  },
  {
    kind: "sentinel",
    reported: /to sentinel .*unknown command/i,
    detail: "REDIS_URL is one for Sentinels, but the server in it is not a Sentinel",
    fix: `Name the Sentinels in REDIS_URL, or begin it with redis:// or rediss:// for a single Redis (${FORMS}).`,
  },
  {
    kind: "sentinel",
    reported: /to sentinel .*\b(?:NOAUTH|WRONGPASS|NOPERM)\b/,
    detail: "The Sentinels in REDIS_URL require another user or password, or more rights of the user",
    fix: `Set REDIS_SENTINEL_USERNAME and REDIS_SENTINEL_PASSWORD, and give this user its rights (${FORMS}).`,
  },
  {
    kind: "cluster",
    reported: /cluster support disabled|unknown command/i,
    detail: "REDIS_URL is one for a Cluster, but the server in it is not a node of a Cluster",
    fix: `Begin REDIS_URL with redis:// or rediss:// for a single Redis, or name the nodes of the Cluster (${FORMS}).`,
  },
  {
    kind: null,
    reported: /\b(?:DB index is out of range|invalid DB index)\b/i,
    detail: "REDIS_URL names the number of a database that this Redis does not have",
    fix: "Use a number below the setting databases in redis.conf (16 by default), or remove it from REDIS_URL.",
  },
  {
    kind: null,
    reported: /\bSELECT is not allowed in cluster mode\b/i,
    detail:
      "REDIS_URL names the number of a database, but Redis is a node of a Redis Cluster here, which has only the database 0",
    fix: `Begin REDIS_URL with redis+cluster://, and remove the number (${FORMS}).`,
  },
];

/** By the errors of an attempt to connect; null if they do not show that REDIS_URL is wrong. */
export function findUrlFault(kind: RedisServers["kind"], errors: readonly Error[]): RedisFault | null {
  for (const fault of URL_FAULTS) {
    const cause = errors.find(({ message }) => fault.reported.test(message));
    if (cause && (fault.kind ?? kind) === kind) return new RedisFault(fault, cause);
  }
  return null;
}

type TryWrite = { tryWrite(key: string): Promise<null> };

/** Throws RedisFault if Redis responds and cannot do its work now, and any other error if it does not respond. */
export async function requireWrites(redis: Redis, namespace: string): Promise<void> {
  redis.defineCommand("tryWrite", { lua: TRY_WRITE, numberOfKeys: 1 });
  try {
    await (redis as unknown as TryWrite).tryWrite(`${namespace}:never-written`);
  } catch (error) {
    throw isErrorReply(error) ? await faultOf(error, redis) : error;
  }
}

/** The same as a value: null if Redis does its work. */
export async function findRedisFault(redis: Redis, namespace: string): Promise<RedisFault | null> {
  try {
    await requireWrites(redis, namespace);
    return null;
  } catch (error) {
    if (error instanceof RedisFault) return error;
    throw error;
  }
}

/** Redis has responded with an error: the connection is healthy, and trying again immediately would not help. */
export function isErrorReply(error: unknown): error is Error {
  return error instanceof Error && error.name === "ReplyError";
}

async function faultOf(error: Error, redis: Redis): Promise<RedisFault> {
  const known = FAULTS.find(({ code }) => code.test(error.message));
  if (known) return new RedisFault(known, error);
  if (/^redis_mode:sentinel/m.test(await redis.info("server"))) return new RedisFault(SENTINEL, error);
  return new RedisFault(
    { detail: `Redis rejects writes: ${error.message}`, fix: "Read the log of Redis, and run clanxp doctor." },
    error,
  );
}
