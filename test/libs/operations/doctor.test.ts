// Each check of the doctor in its three states.
import { describe, expect, test } from "vitest";
import type { Check } from "#operations/check.ts";
import { makeDoctor } from "#operations/doctor.ts";
import type { MongoFacts, RedisFacts } from "#operations/ports.ts";

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
  destinations: { sealed: [{ destinationId: "dst_1", sealed: "s1" }], notifierSilentMs: 1_500, oldestEventMs: 4_000 },
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

const missing = (fields: string, inTheWay: string[] = [], hasDuplicates: boolean | null = false) => {
  return { fields, inTheWay, hasDuplicates };
};
const lacks = (collection: string, ...index: Parameters<typeof missing>): Partial<MongoFacts> => {
  return { indexes: [{ collection, missing: [missing(...index)], unexpected: [] }] };
};

/** What the doctor says that is not ok. */
async function complaints(mongo: Partial<MongoFacts>, redis: Partial<RedisFacts> = {}): Promise<Check[]> {
  const doctor = makeDoctor({
    mongo: async () => ({ ...soundMongo, ...mongo }),
    redis: async () => ({ ...soundRedis, ...redis }),
    open: (sealed) => (sealed === "s1" ? "{}" : null),
    clock: { now: () => NOW, monotonicMs: () => 0, agingMs: () => 0 },
  });
  return (await doctor()).checks.filter((check) => check.status !== "ok");
}

function expectOne(found: readonly Check[], status: string, fix: string): void {
  expect(found).toEqual([expect.objectContaining({ status, fix: expect.stringContaining(fix) })]);
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

  test.each<[string, Partial<MongoFacts>, Check["status"], string]>([
    ["an old MongoDB", { version: "4.4.29" }, "fail", "MongoDB 5.0"],
    ["a MongoDB version that is out of support", { version: "6.0.5" }, "warn", "MongoDB 7.0 or newer"],
    [
      "a MongoDB that cannot hold the database",
      { replicaSetFault: { detail: "a standalone server", fix: "Start mongod with --replSet rs0" } },
      "fail",
      "--replSet",
    ],
    ["sessions of a restored backup", { sessionsOutliveRestore: true }, "warn", "account end-sessions --all"],
    [
      "ignored options of the MongoDB URL",
      { ignoredOptions: ["w", "readPreference"] },
      "warn",
      "w, readPreference from MONGO_URL",
    ],
    ["a replica set without a majority", { majorityFault: "waiting for replication timed out" }, "fail", "rs.status()"],
    ["a transaction lifetime that is too long", { transactionLifetimeS: 60 }, "warn", "LimitSeconds: 10"],
    ["a transaction lifetime that is too short", { transactionLifetimeS: 2 }, "warn", "setParameter"],
    ["a missing index", lacks("ledger", "batchId"), "fail", "restart an API"],
    ["an index with other options", lacks("ledger", "batchId", ["batchId_1"]), "fail", 'dropIndex("batchId_1")'],
    [
      "an index of other software with the fields of a declared one",
      {
        indexes: [{ collection: "ledger", missing: [missing("_id.clanId + at", ["reporting"])], unexpected: ["mine"] }],
      },
      "fail",
      'db.ledger.dropIndex("reporting"), then: restart an API',
    ],
    [
      "a unique index that cannot be built, without advice to restart",
      lacks("ledger", "key", [], true),
      "fail",
      "clanxp reconcile names the entries; remove all but one of each. No process can build the index before.",
    ],
    [
      "a unique index whose documents could not be searched in time, without advice to restart first",
      lacks("ledger", "key", [], null),
      "fail",
      "clanxp reconcile names the entries, if there are any",
    ],
    [
      "a missing index of the audit log, which no process may create where roles are used",
      lacks("audit", "at + _id"),
      "fail",
      "run deploy/mongo/roles.js as an administrator",
    ],
    [
      "entries of a member under one key",
      { repeatedKeys: [{ clanId: "c", platformId: "p", seqs: [2, 5] }] },
      "fail",
      "its own key",
    ],
    ["a ledger that is too large to search it for keys", { repeatedKeys: null }, "warn", "clanxp reconcile"],
    ["an unexpected index", { indexes: [{ collection: "keys", missing: [], unexpected: ["mine_1"] }] }, "warn", "Drop"],
    ["MongoDB's clock ahead", { aheadMs: 1_001 }, "warn", "NTP"],
    ["MongoDB's clock so far ahead that no process is ready", { aheadMs: 300_001 }, "fail", "NTP"],
    ["MongoDB's clock so far behind that no process is ready", { aheadMs: -300_001 }, "fail", "NTP"],
    [
      "batches that have waited long",
      { backlog: { unfinished: 9, oldestCreatedAt: ago(61) } },
      "warn",
      "npm run worker",
    ],
  ])("report %s", async (_, facts, status, fix) => expectOne(await complaints(facts), status, fix));

  test.each<[string, Partial<RedisFacts>, Check["status"], string]>([
    [
      "ignored options of the Redis URL",
      { ignoredOptions: ["keyPrefix", "commandTimeout"] },
      "warn",
      "keyPrefix, commandTimeout from REDIS_URL",
    ],
    ["an old Redis", { version: "6.0.16" }, "fail", "Redis 6.2"],
    [
      "a Redis with an eviction policy",
      { evictionPolicy: "allkeys-lru" },
      "fail",
      "CONFIG SET maxmemory-policy noeviction",
    ],
    [
      "a Redis that rejects writes",
      { fault: { detail: "Redis is full", fix: "Raise maxmemory" } },
      "fail",
      "Raise maxmemory",
    ],
    ["a Redis that is nearly full", { memoryUsed: 0.9 }, "warn", "CONFIG SET maxmemory"],
    ["no append-only file", { appendOnly: false }, "warn", "appendonly yes"],
    ["a paused queue", { queue: { paused: true, failed: 0 } }, "warn", "clanxp queue resume"],
    ["failed jobs", { queue: { paused: false, failed: 2 } }, "warn", "clanxp queue retry"],
    ["Redis's clock behind", { aheadMs: -5_000 }, "warn", "NTP"],
  ])("report %s", async (_, facts, status, fix) => expectOne(await complaints({}, facts), status, fix));

  test("report no warning for recent batches, but their number", async () => {
    const backlog = { unfinished: 9, oldestCreatedAt: ago(2) };
    expect(await complaints({ backlog })).toEqual([]);
  });
});
