// Checks the servers by the values that they report: each check is ok, a warning or a failure, with the command that
// fixes it. Changes nothing. A server that does not respond is one failed check, and the others are still made.
import type { Backlog } from "#usecases/batches/ports.ts";
import type { Clock } from "#usecases/ports.ts";
import { REPEATED_KEYS_NAMED_MAX } from "#usecases/operations/bounds.ts";
import type { IndexFacts, MongoFacts, RedisFacts, RepeatedKey } from "#usecases/operations/ports.ts";

export type CheckStatus = "ok" | "warn" | "fail";
export type Check = {
  name: string;
  status: CheckStatus;
  detail: string;
  /** How to fix it; null if it is ok. */ fix: string | null;
};
/** `reachable`: both servers responded. */
export type DoctorReport = { checks: Check[]; reachable: boolean };

/** The ports throw, with a reason for people, if the server does not respond. */
export type Doctor = () => Promise<DoctorReport>;

const MONGO_OLDEST = "5.0";
/** MongoDB supports a major release for five years: these releases still get fixes. */
const MONGO_SUPPORTED_SINCE = "7.0";
const REDIS_OLDEST = "6.2";
/** Keys and locks expire by the clock. With a larger difference, logs no longer show the order of events. */
const CLOCK_SKEW_MAX_MS = 1_000;
/**
 * A flight takes milliseconds, at most some seconds. A transaction that takes longer belongs to a crashed process
 * (docs/explanation/outages.md).
 */
const TRANSACTION_LIFETIME_MIN_S = 10;
const TRANSACTION_LIFETIME_MAX_S = 30;
/** A batch takes about a second; one that has waited for a minute requires attention. */
const BATCH_AGE_MAX_MS = 60_000;

export function makeDoctor(world: {
  mongo: () => Promise<MongoFacts>;
  redis: () => Promise<RedisFacts>;
  clock: Clock;
}): Doctor {
  return async function doctor() {
    const [mongo, redis] = await Promise.allSettled([world.mongo(), world.redis()]);
    const mongoFacts = mongo.status === "fulfilled" ? mongo.value : null;
    const redisFacts = redis.status === "fulfilled" ? redis.value : null;
    const checks = [
      ...(mongo.status === "fulfilled" ? mongoChecks(mongo.value) : [unreachable("mongo", mongo.reason)]),
      ...(redis.status === "fulfilled" ? redisChecks(redis.value) : [unreachable("redis", redis.reason)]),
      ...clockChecks(mongoFacts, redisFacts),
      ...(mongoFacts ? [backlogCheck(mongoFacts.backlog, redisFacts?.queue.paused ?? false, world.clock.now())] : []),
    ];
    return { checks, reachable: mongoFacts !== null && redisFacts !== null };
  };
}

function mongoChecks(facts: MongoFacts): Check[] {
  return [
    ok("mongo", "reachable"),
    mongoVersionCheck(facts.version),
    urlCheck(facts.ignoredOptions),
    replicaSetCheck(facts),
    facts.majorityFault === null
      ? ok("mongo majority", "a majority confirms writes")
      : fail(
          "mongo majority",
          `no majority confirms writes: ${facts.majorityFault}`,
          "Bring the missing members of the replica set back: rs.status() names them.",
        ),
    transactionCheck(facts.transactionLifetimeS),
    ...facts.indexes.map(indexCheck),
    keysCheck(facts.repeatedKeys),
  ];
}

function mongoVersionCheck(version: string): Check {
  const name = "mongo version";
  if (!isAtLeast(version, MONGO_OLDEST)) {
    return fail(name, `${version} is older than ${MONGO_OLDEST}`, `Upgrade to MongoDB ${MONGO_OLDEST} or newer.`);
  }
  if (isAtLeast(version, MONGO_SUPPORTED_SINCE)) return ok(name, version);
  return warn(
    name,
    `${version} no longer receives security fixes`,
    `Upgrade to MongoDB ${MONGO_SUPPORTED_SINCE} or newer.`,
  );
}

function urlCheck(ignored: readonly string[]): Check {
  const name = "mongo url";
  if (ignored.length === 0) return ok(name, "every option is used");
  const options = ignored.join(", ");
  return warn(
    name,
    `ignored options: ${options}`,
    `Remove ${options} from MONGO_URL: Clan XP sets its own (docs/how-to/mongodb-and-redis.md#mongodb).`,
  );
}

function replicaSetCheck({ replicaSet, isWritablePrimary }: MongoFacts): Check {
  if (replicaSet === null) {
    return fail(
      "mongo replica set",
      "a standalone server; a replica set is required",
      "Start mongod with --replSet rs0 and run rs.initiate() once: one node is enough.",
    );
  }
  if (!isWritablePrimary)
    return fail(
      "mongo replica set",
      `${replicaSet} has no writable primary here`,
      "See rs.status(), and name all members in MONGO_URL.",
    );
  return ok("mongo replica set", `${replicaSet}, with a writable primary`);
}

function transactionCheck(lifetimeS: number | null): Check {
  const name = "mongo transactions";
  const fix = `db.adminCommand({ setParameter: 1, transactionLifetimeLimitSeconds: ${TRANSACTION_LIFETIME_MIN_S} })`;
  if (lifetimeS === null) return ok(name, "the server does not report their time limit");
  if (lifetimeS < TRANSACTION_LIFETIME_MIN_S)
    return warn(name, `the limit of ${lifetimeS} s is too short for a busy server`, fix);
  if (lifetimeS > TRANSACTION_LIFETIME_MAX_S) {
    return warn(name, `the limit is ${lifetimeS} s: a crashed process can block its members' awards that long`, fix);
  }
  return ok(name, `the limit is ${lifetimeS} s`);
}

function indexCheck({ collection, missing, unexpected }: IndexFacts): Check {
  const name = `indexes of ${collection}`;
  if (missing.length > 0) {
    // An index with the same name and another definition must be dropped first.
    const creates =
      collection === "audit"
        ? "run deploy/mongo/roles.js as an administrator, or, where the user may create indexes, restart an API or a worker."
        : "restart an API or a worker, which creates them.";
    const drops = unexpected.map((index) => `db.${collection}.dropIndex("${index}"), then: `);
    return fail(name, `missing, or not as declared: ${missing.join(", ")}`, `${drops.join("")}${creates}`);
  }
  if (unexpected.length > 0) {
    return warn(
      name,
      `unexpected index ${unexpected.join(", ")} slows down every write`,
      "Drop the indexes that none of your tools needs.",
    );
  }
  return ok(name, "as declared");
}

/** The unique index of the ledger cannot be built while two entries of a member have one key. */
function keysCheck(repeated: readonly RepeatedKey[] | null): Check {
  const name = "keys of ledger";
  if (repeated === null)
    return warn(name, "the search for entries with the same key took too long", "clanxp reconcile, which names them.");
  const [first] = repeated;
  if (!first) return ok(name, "each names one entry of a member");
  const named = repeated.slice(0, REPEATED_KEYS_NAMED_MAX).map(({ clanId, platformId, seqs }) => {
    return `${clanId}/${platformId} (entries ${seqs.join(", ")})`;
  });
  const more = repeated.length > named.length ? `, and ${repeated.length - named.length} more` : "";
  return fail(
    name,
    `one key for several entries of ${named.join(", ")}${more}`,
    "Give each entry but the first its own key (docs/how-to/runbook.md#ledger-differences), then restart an API, which builds the index.",
  );
}

function redisChecks(facts: RedisFacts): Check[] {
  return [
    ok("redis", "reachable"),
    isAtLeast(facts.version, REDIS_OLDEST)
      ? ok("redis version", facts.version)
      : fail(
          "redis version",
          `${facts.version} is older than ${REDIS_OLDEST}`,
          `Upgrade to Redis ${REDIS_OLDEST} or newer.`,
        ),
    evictionCheck(facts.evictionPolicy),
    facts.appendOnly === false
      ? warn(
          "redis append-only",
          "off: a restart loses the queued jobs, and their batches wait for the recovery scan",
          "redis-cli CONFIG SET appendonly yes, and the same line in redis.conf.",
        )
      : ok("redis append-only", facts.appendOnly === null ? "the server does not report it" : "on"),
    queueCheck(facts.queue),
  ];
}

function evictionCheck(policy: string | null): Check {
  const name = "redis eviction";
  if (policy === null) return ok(name, "the server does not report it");
  if (policy === "noeviction") return ok(name, policy);
  return fail(
    name,
    `maxmemory-policy ${policy} may evict queued jobs`,
    "redis-cli CONFIG SET maxmemory-policy noeviction, and the same line in redis.conf.",
  );
}

function queueCheck({ paused, failed }: RedisFacts["queue"]): Check {
  if (paused) return warn("queue", "paused: workers take no batches", "clanxp queue resume");
  if (failed > 0) return warn("queue", `${failed} jobs have failed`, "clanxp queue retry");
  return ok("queue", "running");
}

function clockChecks(mongo: MongoFacts | null, redis: RedisFacts | null): Check[] {
  const clocks = [
    ...(mongo ? [{ name: "mongo clock", aheadMs: mongo.aheadMs }] : []),
    ...(redis ? [{ name: "redis clock", aheadMs: redis.aheadMs }] : []),
  ];
  return clocks.map(({ name, aheadMs }) => {
    const detail = `${Math.abs(Math.round(aheadMs))} ms ${aheadMs < 0 ? "behind" : "ahead of"} this machine`;
    return Math.abs(aheadMs) > CLOCK_SKEW_MAX_MS
      ? warn(name, detail, "Let NTP (chrony, systemd-timesyncd) set the clocks of all machines.")
      : ok(name, detail);
  });
}

function backlogCheck({ unfinished, oldestCreatedAt }: Backlog, paused: boolean, now: Date): Check {
  if (oldestCreatedAt === null) return ok("batches", "none is waiting");
  const ageMs = now.getTime() - oldestCreatedAt.getTime();
  const detail = `${unfinished} unfinished, the oldest accepted ${Math.round(ageMs / 1_000)} s ago`;
  if (ageMs <= BATCH_AGE_MAX_MS) return ok("batches", detail);
  return warn(
    "batches",
    detail,
    paused
      ? "clanxp queue resume"
      : "Is a worker running? Start one more with npm run worker; see clanxp queue status.",
  );
}

function unreachable(name: string, reason: unknown): Check {
  return fail(
    name,
    reason instanceof Error ? reason.message : String(reason),
    "Start it (npm start does), or correct its URL.",
  );
}

function isAtLeast(version: string, oldest: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

function ok(name: string, detail: string): Check {
  return { name, status: "ok", detail, fix: null };
}
function warn(name: string, detail: string, fix: string): Check {
  return { name, status: "warn", detail, fix };
}
function fail(name: string, detail: string, fix: string): Check {
  return { name, status: "fail", detail, fix };
}
