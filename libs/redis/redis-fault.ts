// Why a Redis that responds cannot do its work, in words, and how to fix it. Readiness and the doctor use the same
// check, so that they report the same.
import type { Redis } from "ioredis";

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
