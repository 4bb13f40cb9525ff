// Checks the servers by the values that they report: each check is ok, a warning or a failure, with the command that
// fixes it. Changes nothing. A server that does not respond is one failed check, and the others are still made.
import type { Backlog } from "#batches/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Sealer } from "#delivery/ports.ts";
import { REPEATED_KEYS_NAMED_MAX } from "#operations/bounds.ts";
import { AS_DECLARED, fail, ok, warn, type Check } from "#operations/check.ts";
import { checkDestinations } from "#operations/check-destinations.ts";
import { checkShardKeys, withoutShardKeys } from "#operations/check-shard-keys.ts";
import type { IndexFacts, MongoFacts, RedisFacts, RepeatedKey, ServerFault } from "#operations/ports.ts";

/** `reachable`: both servers responded. */
export type DoctorReport = { checks: Check[]; reachable: boolean };

/** The ports throw, with a reason for people and maybe its fix, if the server does not respond as one of its kind. */
export type Doctor = () => Promise<DoctorReport>;

const MONGO_OLDEST = "5.0";
const MONGO_PROCESSOR =
  " If mongod ends with SIGILL or exit code 132, its processor lacks AVX or ARMv8.2-A (docs/how-to/mongodb-and-redis.md#processor): use another machine, or a MongoDB that runs elsewhere.";
/** MongoDB supports a major release for five years: these releases still get fixes. */
const MONGO_SUPPORTED_SINCE = "7.0";
const REDIS_OLDEST = "6.2";
/** Keys and locks expire by the clock. With a larger difference, logs no longer show the order of events. */
const CLOCK_SKEW_MAX_MS = 1_000;
/** A process with this clock is not ready (libs/process/clock-skew.ts). */
const CLOCK_SKEW_READY_MAX_MS = 5 * 60_000;
/**
 * A commit group takes milliseconds, at most some seconds. A transaction that takes longer belongs to a crashed process
 * (docs/explanation/outages.md).
 */
const TRANSACTION_LIFETIME_MIN_S = 10;
const TRANSACTION_LIFETIME_MAX_S = 30;
/** Redis rejects writes once its memory is used up; below this share there is time to raise the limit. */
const REDIS_MEMORY_MAX = 0.9;
/** A batch takes about a second; one that has waited for a minute requires attention. */
const BATCH_AGE_MAX_MS = 60_000;

export function makeDoctor(deps: {
  mongo: () => Promise<MongoFacts>;
  redis: () => Promise<RedisFacts>;
  /** Decrypts with SECRETS_KEY; null if it is not set. */
  open: Sealer["open"] | null;
  clock: Clock;
}): Doctor {
  return async function doctor() {
    const [mongo, redis] = await Promise.allSettled([deps.mongo(), deps.redis()]);
    const mongoFacts = mongo.status === "fulfilled" ? mongo.value : null;
    const redisFacts = redis.status === "fulfilled" ? redis.value : null;
    const checks = [
      ...(mongo.status === "fulfilled"
        ? mongoChecks(mongo.value)
        : [unreachable("mongo", mongo.reason, MONGO_PROCESSOR)]),
      ...(redis.status === "fulfilled" ? redisChecks(redis.value) : [unreachable("redis", redis.reason)]),
      ...clockChecks(mongoFacts, redisFacts),
      ...(mongoFacts ? [backlogCheck(mongoFacts.backlog, redisFacts?.queue?.paused ?? false, deps.clock.now())] : []),
      ...(mongoFacts ? checkDestinations(mongoFacts.destinations, deps.open) : []),
    ];
    return { checks, reachable: mongoFacts !== null && redisFacts !== null };
  };
}

function mongoChecks(facts: MongoFacts): Check[] {
  return [
    ok("mongo", "reachable"),
    mongoVersionCheck(facts.version),
    urlCheck("mongo", "MONGO_URL", facts.ignoredOptions),
    replicaSetCheck(facts),
    facts.majorityFault === null
      ? ok("mongo majority", "a majority confirms writes")
      : fail(
          "mongo majority",
          `no majority confirms writes: ${facts.majorityFault}`,
          "Bring the missing members of the replica set back: rs.status() names them.",
        ),
    transactionCheck(facts.transactionLifetimeS),
    ...checkShardKeys(facts.shardKeys),
    ...facts.indexes.map((index) => indexCheck(withoutShardKeys(index, facts.shardKeys))),
    ...(facts.sessionsOutliveRestore ? [restoreCheck] : []),
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

function urlCheck(server: "mongo" | "redis", setting: string, ignored: readonly string[]): Check {
  const name = `${server} url`;
  if (ignored.length === 0) return ok(name, "every option is used");
  const options = ignored.join(", ");
  return warn(
    name,
    `ignored options: ${options}`,
    `Remove ${options} from ${setting}: Clan XP sets its own (docs/how-to/mongodb-and-redis.md#${server === "mongo" ? "mongodb" : "redis"}).`,
  );
}

function replicaSetCheck({ replicaSet, replicaSetFault: fault }: MongoFacts): Check {
  const name = "mongo replica set";
  return fault ? fail(name, fault.detail, fault.fix) : ok(name, `${replicaSet}, with a writable primary`);
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
    const inTheWay = [...new Set(missing.flatMap((index) => index.inTheWay))];
    const duplicated = missing.filter(({ hasDuplicates }) => hasDuplicates).map(({ fields }) => fields);
    const unsearched = missing.filter(({ hasDuplicates }) => hasDuplicates === null).map(({ fields }) => fields);
    const found = [
      `missing, or not as declared: ${missing.map(({ fields }) => fields).join(", ")}`,
      ...(inTheWay.length > 0 ? [`in the way: ${inTheWay.join(", ")}`] : []),
      ...(duplicated.length > 0
        ? [`cannot be built, because several documents have the same ${duplicated.join(", ")}`]
        : []),
      ...(unsearched.length > 0
        ? [`the search for documents with the same ${unsearched.join(", ")} took too long`]
        : []),
    ];
    const hasDuplicates = duplicated.length > 0 || (unsearched.length > 0 ? null : false);
    return fail(name, found.join("; "), indexFix(collection, inTheWay, hasDuplicates));
  }
  if (unexpected.length > 0) {
    return warn(
      name,
      `unexpected index ${unexpected.join(", ")} slows down every write`,
      "Drop the indexes that none of your tools needs.",
    );
  }
  return ok(name, AS_DECLARED);
}

/** What has to be done before an index can be built, then who builds it. */
function indexFix(collection: string, inTheWay: readonly string[], hasDuplicates: boolean | null): string {
  const drops = inTheWay.map((index) => `db.${collection}.dropIndex("${index}"), then: `);
  const who = collection === "ledger" ? "clanxp reconcile names the entries" : "Find the documents";
  if (hasDuplicates)
    return `${drops.join("")}${who}; remove all but one of each. No process can build the index before.`;
  if (hasDuplicates === null)
    return `${drops.join("")}${who}, if there are any; remove all but one of each. The next API or worker that starts builds the index.`;
  const creates =
    collection === "audit"
      ? "run deploy/mongo/roles.js as an administrator, or, where the user may create indexes, restart an API or a worker."
      : "restart an API or a worker, which creates them.";
  return `${drops.join("")}${creates}`;
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
    "clanxp reconcile names them all. Give each entry but the first its own key (docs/how-to/runbook.md#ledger-differences): no process can build the index before, and the next one that starts builds it.",
  );
}

function redisChecks(facts: RedisFacts): Check[] {
  return [
    ok("redis", "reachable"),
    urlCheck("redis", "REDIS_URL", facts.ignoredOptions),
    facts.fault ? fail("redis writes", facts.fault.detail, facts.fault.fix) : ok("redis writes", "accepted"),
    redisVersionCheck(facts),
    evictionCheck(facts.evictionPolicy),
    memoryCheck(facts),
    facts.appendOnly === false
      ? warn(
          "redis append-only",
          "off: a restart loses the queued jobs, and their batches wait for the recovery scan",
          "redis-cli CONFIG SET appendonly yes, and the same line in redis.conf.",
        )
      : ok("redis append-only", facts.appendOnly === null ? "the server does not report it" : "on"),
    ...(facts.queue ? [queueCheck(facts.queue, facts.fault !== null)] : []),
  ];
}

function redisVersionCheck({ version, valkeyVersion }: RedisFacts): Check {
  const name = "redis version";
  if (valkeyVersion !== null) return ok(name, `Valkey ${valkeyVersion}`);
  if (version === null) return ok(name, "the server does not report it");
  if (isAtLeast(version, REDIS_OLDEST)) return ok(name, version);
  return fail(name, `${version} is older than ${REDIS_OLDEST}`, `Upgrade to Redis ${REDIS_OLDEST} or newer.`);
}

function memoryCheck({ memoryUsed }: RedisFacts): Check {
  const name = "redis memory";
  if (memoryUsed === null) return ok(name, "no limit is reported");
  const detail = `${Math.floor(memoryUsed * 100)} % of maxmemory`;
  if (memoryUsed < REDIS_MEMORY_MAX) return ok(name, detail);
  return warn(
    name,
    `${detail}: once it is full, batches and reversals wait`,
    "redis-cli CONFIG SET maxmemory <more bytes>, and the same line in redis.conf; or delete other data from it.",
  );
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

function queueCheck({ paused, failed }: { paused: boolean; failed: number }, isRejected: boolean): Check {
  if (paused) return warn("queue", "paused: workers take no batches", "clanxp queue resume");
  if (failed > 0) return warn("queue", `${failed} jobs have failed`, "clanxp queue retry");
  return ok("queue", isRejected ? "not paused; workers wait for Redis" : "running");
}

function clockChecks(mongo: MongoFacts | null, redis: RedisFacts | null): Check[] {
  const clocks = [
    ...(mongo ? [{ name: "mongo clock", aheadMs: mongo.aheadMs }] : []),
    ...(redis && redis.aheadMs !== null ? [{ name: "redis clock", aheadMs: redis.aheadMs }] : []),
  ];
  return clocks.map(({ name, aheadMs }) => {
    const detail = `${Math.abs(Math.round(aheadMs))} ms ${aheadMs < 0 ? "behind" : "ahead of"} this machine`;
    const fix = "Let NTP (chrony, systemd-timesyncd) set the clocks of all machines.";
    if (name === "mongo clock" && Math.abs(aheadMs) > CLOCK_SKEW_READY_MAX_MS)
      return fail(name, `${detail}: no process on this machine is ready`, fix);
    return Math.abs(aheadMs) > CLOCK_SKEW_MAX_MS ? warn(name, detail, fix) : ok(name, detail);
  });
}

const restoreCheck: Check = warn(
  "sessions",
  "a backup was restored: sessions and links that had ended since the backup are valid again",
  "clanxp account end-sessions --all (docs/how-to/back-up-and-restore.md#verify-a-restore)",
);

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

function unreachable(name: string, reason: unknown, more = ""): Check {
  const { message = String(reason), detail = message, fix } = Object(reason) as Partial<Error & ServerFault>;
  return fail(name, detail, fix ?? `Start it (npm start does), or correct its URL.${more}`);
}

function isAtLeast(version: string, oldest: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
