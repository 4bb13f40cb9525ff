// doctor: each check in its three states, and the real servers' health.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Check } from "#usecases/operations/check.ts";
import { makeDoctor } from "#usecases/operations/doctor.ts";
import type { MongoFacts, RedisFacts } from "#usecases/operations/ports.ts";
import { cliOn } from "../../support/cli.ts";
import { makeWorld, type World } from "../../support/world.ts";

const NOW = new Date("2030-01-01T00:00:00Z");
const soundMongo: MongoFacts = {
  version: "8.0.1",
  replicaSet: "rs0",
  replicaSetFault: null,
  shardKeys: null,
  ignoredOptions: [],
  majorityFault: null,
  transactionLifetimeS: 10,
  indexes: [{ collection: "members", missing: [], unexpected: [] }],
  repeatedKeys: [],
  aheadMs: 3,
  backlog: { unfinished: 0, oldestCreatedAt: null },
  sessionsOutliveRestore: false,
};
const soundRedis: RedisFacts = {
  ignoredOptions: [],
  version: "7.4.0",
  fault: null,
  memoryUsed: 0.1,
  valkeyVersion: null,
  evictionPolicy: "noeviction",
  appendOnly: true,
  aheadMs: -3,
  queue: { paused: false, failed: 0 },
};

const missing = (fields: string, inTheWay: string[] = [], hasDuplicates = false) => ({
  fields,
  inTheWay,
  hasDuplicates,
});

/** What the doctor says that is not ok. */
async function complaints(mongo: Partial<MongoFacts>, redis: Partial<RedisFacts> = {}): Promise<Check[]> {
  const doctor = makeDoctor({
    mongo: async () => ({ ...soundMongo, ...mongo }),
    redis: async () => ({ ...soundRedis, ...redis }),
    clock: { now: () => NOW, monotonicMs: () => 0, agingMs: () => 0 },
  });
  return (await doctor()).checks.filter((check) => check.status !== "ok");
}

const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1_000);

describe("the rules of clanxp doctor", () => {
  test("report no warning for healthy servers", async () => {
    expect(await complaints({})).toEqual([]);
  });

  test("report no warning for servers that do not report everything", async () => {
    const silent = { version: null, valkeyVersion: null, evictionPolicy: null, memoryUsed: null, appendOnly: null };
    expect(await complaints({ transactionLifetimeS: null }, silent)).toEqual([]);
  });

  test.each<[string, Partial<MongoFacts>, Partial<RedisFacts>, string, string]>([
    ["an old MongoDB", { version: "4.4.29" }, {}, "fail", "MongoDB 5.0"],
    ["a MongoDB version that is out of support", { version: "6.0.5" }, {}, "warn", "MongoDB 7.0 or newer"],
    [
      "a MongoDB that cannot hold the database",
      { replicaSetFault: { detail: "a standalone server", fix: "Start mongod with --replSet rs0" } },
      {},
      "fail",
      "--replSet",
    ],
    ["sessions of a restored backup", { sessionsOutliveRestore: true }, {}, "warn", "account end-sessions --all"],
    [
      "ignored options of the MongoDB URL",
      { ignoredOptions: ["w", "readPreference"] },
      {},
      "warn",
      "w, readPreference from MONGO_URL",
    ],
    [
      "ignored options of the Redis URL",
      {},
      { ignoredOptions: ["keyPrefix", "commandTimeout"] },
      "warn",
      "keyPrefix, commandTimeout from REDIS_URL",
    ],
    [
      "a replica set without a majority",
      { majorityFault: "waiting for replication timed out" },
      {},
      "fail",
      "rs.status()",
    ],
    ["a transaction lifetime that is too long", { transactionLifetimeS: 60 }, {}, "warn", "LimitSeconds: 10"],
    ["a transaction lifetime that is too short", { transactionLifetimeS: 2 }, {}, "warn", "setParameter"],
    [
      "a missing index",
      { indexes: [{ collection: "ledger", missing: [missing("batchId")], unexpected: [] }] },
      {},
      "fail",
      "restart an API",
    ],
    [
      "an index with other options",
      { indexes: [{ collection: "ledger", missing: [missing("batchId", ["batchId_1"])], unexpected: [] }] },
      {},
      "fail",
      'dropIndex("batchId_1")',
    ],
    [
      "an index of other software with the fields of a declared one",
      {
        indexes: [{ collection: "ledger", missing: [missing("_id.clanId + at", ["reporting"])], unexpected: ["mine"] }],
      },
      {},
      "fail",
      'db.ledger.dropIndex("reporting"), then: restart an API',
    ],
    [
      "a unique index that cannot be built, without advice to restart",
      { indexes: [{ collection: "ledger", missing: [missing("key", [], true)], unexpected: [] }] },
      {},
      "fail",
      "clanxp reconcile names the entries; remove all but one of each. No process can build the index before.",
    ],
    [
      "a missing index of the audit log, which no process may create where roles are used",
      { indexes: [{ collection: "audit", missing: [missing("at + _id")], unexpected: [] }] },
      {},
      "fail",
      "run deploy/mongo/roles.js as an administrator",
    ],
    [
      "entries of a member under one key",
      { repeatedKeys: [{ clanId: "c", platformId: "p", seqs: [2, 5] }] },
      {},
      "fail",
      "its own key",
    ],
    ["a ledger that is too large to search it for keys", { repeatedKeys: null }, {}, "warn", "clanxp reconcile"],
    [
      "an unexpected index",
      { indexes: [{ collection: "keys", missing: [], unexpected: ["mine_1"] }] },
      {},
      "warn",
      "Drop",
    ],
    ["an old Redis", {}, { version: "6.0.16" }, "fail", "Redis 6.2"],
    [
      "a Redis with an eviction policy",
      {},
      { evictionPolicy: "allkeys-lru" },
      "fail",
      "CONFIG SET maxmemory-policy noeviction",
    ],
    [
      "a Redis that rejects writes",
      {},
      { fault: { detail: "Redis is full", fix: "Raise maxmemory" } },
      "fail",
      "Raise maxmemory",
    ],
    ["a Redis that is nearly full", {}, { memoryUsed: 0.9 }, "warn", "CONFIG SET maxmemory"],
    ["no append-only file", {}, { appendOnly: false }, "warn", "appendonly yes"],
    ["a paused queue", {}, { queue: { paused: true, failed: 0 } }, "warn", "clanxp queue resume"],
    ["failed jobs", {}, { queue: { paused: false, failed: 2 } }, "warn", "clanxp queue retry"],
    ["MongoDB's clock ahead", { aheadMs: 1_001 }, {}, "warn", "NTP"],
    ["MongoDB's clock so far ahead that no process is ready", { aheadMs: 300_001 }, {}, "fail", "NTP"],
    ["MongoDB's clock so far behind that no process is ready", { aheadMs: -300_001 }, {}, "fail", "NTP"],
    ["Redis's clock behind", {}, { aheadMs: -5_000 }, "warn", "NTP"],
    [
      "batches that have waited long",
      { backlog: { unfinished: 9, oldestCreatedAt: ago(61) } },
      {},
      "warn",
      "npm run worker",
    ],
  ])("report %s", async (_, mongo, redis, status, fix) => {
    const found = await complaints(mongo, redis);
    expect(found).toEqual([expect.objectContaining({ status, fix: expect.stringContaining(fix) })]);
  });

  test("report no warning for recent batches, but their number", async () => {
    const backlog = { unfinished: 9, oldestCreatedAt: ago(2) };
    expect(await complaints({ backlog })).toEqual([]);
  });
});

describe("clanxp doctor", () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.close());

  const servers = () => ({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });

  test("exits with code 0 for healthy servers, and no check fails", async () => {
    const { exitCode, answer } = await cliOn(servers()).json("doctor");
    expect(answer.checks.filter((check: Check) => check.status === "fail")).toEqual([]);
    expect([exitCode, answer.ok]).toEqual([0, true]);
    expect(answer.checks.map((check: Check) => check.name)).toEqual(
      expect.arrayContaining([
        "mongo version",
        "mongo replica set",
        "mongo majority",
        "indexes of ledger",
        "redis eviction",
        "redis clock",
        "batches",
      ]),
    );
    expect(answer.checks[0]).toEqual({ name: "mongo", status: "ok", detail: "reachable", fix: null });
  });

  test("exits with code 0 for ignored options of the URLs, and lists each of them", async () => {
    const url = new URL(world.mongoUrl);
    url.search = `${url.search}${url.search === "" ? "?" : "&"}readPreference=secondary&readConcernLevel=linearizable`;
    const redisUrl = `${world.redisUrl}?keyPrefix=x:&maxRetriesPerRequest=5&commandTimeout=1&family=4`;
    const { exitCode, answer } = await cliOn({ MONGO_URL: url.href, REDIS_URL: redisUrl }).json("doctor");
    expect(exitCode).toBe(0);
    expect(answer.checks).toContainEqual(
      expect.objectContaining({
        name: "redis url",
        status: "warn",
        detail: "ignored options: keyPrefix, maxRetriesPerRequest, commandTimeout",
      }),
    );
    expect(answer.checks).toContainEqual(
      expect.objectContaining({
        name: "mongo url",
        status: "warn",
        detail: "ignored options: readPreference, readConcernLevel",
      }),
    );
  });

  test("accepts a TTL index that an administrator added to the audit log", async () => {
    const audit = world.database.db().collection("audit");
    const years = 365 * 86_400;
    await audit.createIndexes([{ key: { at: 1 }, name: "retention", expireAfterSeconds: 2 * years }]);
    await world.database
      .db()
      .collection("batches")
      .createIndexes([{ key: { at: 1 }, name: "retention" }]);
    const { answer } = await cliOn(servers()).json("doctor");
    expect(answer.checks).toContainEqual({ name: "indexes of audit", status: "ok", detail: "as declared", fix: null });
    expect(answer.checks).toContainEqual(expect.objectContaining({ name: "indexes of batches", status: "warn" }));
    await audit.dropIndex("retention");
    await world.database.db().collection("batches").dropIndex("retention");
  });

  test("exits with code 1 and the fix for a missing or changed index, and creates none", async () => {
    const ledger = world.database.db().collection("ledger");
    await ledger.dropIndex("batchId_1");
    await ledger.createIndexes([{ key: { batchId: 1 }, name: "batchId_1" }]);
    await world.database.db().collection("keys").dropIndex("clanId_1");
    for (const repeated of [1, 2]) {
      const { exitCode, answer } = await cliOn(servers()).json("doctor");
      const failed = answer.checks.filter((check: Check) => check.status === "fail");
      expect([repeated, exitCode, failed.map((check: Check) => check.name)]).toEqual([
        repeated,
        1,
        ["indexes of keys", "indexes of ledger"],
      ]);
      expect(failed[1].fix).toContain('dropIndex("batchId_1")');
    }
    expect((await cliOn(servers()).run("doctor")).stdout).toMatch(/To fix:\n(?: {2}.*\n)* {2}indexes of keys: /);
    await ledger.dropIndex("batchId_1");
    await Promise.all([world.database.models.ledger.createIndexes(), world.database.models.keys.createIndexes()]);
  });

  test("exits with code 3 for an unreachable server, and still checks the other one", async () => {
    const noRedis = await cliOn({ ...servers(), REDIS_URL: "redis://127.0.0.1:1" }).json("doctor");
    expect(noRedis.exitCode).toBe(3);
    expect(noRedis.answer.checks).toContainEqual(expect.objectContaining({ name: "redis", status: "fail" }));
    expect(noRedis.answer.checks).toContainEqual(expect.objectContaining({ name: "indexes of ledger", status: "ok" }));

    const noMongo = await cliOn({ ...servers(), MONGO_URL: "mongodb://127.0.0.1:1/x" }).json("doctor");
    expect(noMongo.exitCode).toBe(3);
    expect(noMongo.answer.checks).toContainEqual(expect.objectContaining({ name: "mongo", status: "fail" }));
    expect(noMongo.answer.checks).toContainEqual(expect.objectContaining({ name: "redis eviction", status: "ok" }));
  });
});
