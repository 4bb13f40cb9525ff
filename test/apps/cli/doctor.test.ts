// doctor: the health of real servers.
import { describe, expect, test } from "vitest";
import { KEYS } from "#keys/store/key-model.ts";
import { LEDGER } from "#ledger/store/entry-model.ts";
import type { Check } from "#operations/check.ts";
import { cliOn } from "../../support/cli.ts";
import { destinationsIn, notifierSettings } from "../../support/destinations.ts";
import { until } from "../../support/until.ts";
import { useWorld } from "../../support/use-api.ts";

const world = await useWorld();
const servers = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl };

describe("clanxp doctor", () => {
  test("exits with code 0 for healthy servers, and no check fails", async () => {
    const { exitCode, answer } = await cliOn(servers).json("doctor");
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
    const { stdout } = await cliOn(servers).run("doctor");
    expect(stdout).toMatch(/\nindexes +ok +of \d+ collections as declared\n/);
    expect(stdout).not.toContain("indexes of ledger");
    expect(stdout).toMatch(/\n\n0 failures, \d+ warnings?\n$/);
    expect((await cliOn(servers).run("doctor", "--all")).stdout).toMatch(/\nindexes of ledger +ok +as declared\n/);
  });

  test("exits with code 0 for ignored options of the URLs, and lists each of them", async () => {
    const url = new URL(world.mongoUrl);
    url.search = `${url.search}${url.search === "" ? "?" : "&"}readPreference=secondary&readConcernLevel=linearizable`;
    const redisUrl = `${world.redisUrl}?keyPrefix=x:&maxRetriesPerRequest=5&commandTimeout=1&family=4`;
    const { exitCode, answer } = await cliOn({ MONGO_URL: url.href, REDIS_URL: redisUrl }).json("doctor");
    expect(exitCode).toBe(0);
    for (const [name, ignored] of [
      ["redis url", "keyPrefix, maxRetriesPerRequest, commandTimeout"],
      ["mongo url", "readPreference, readConcernLevel"],
    ]) {
      const warning = { name, status: "warn", detail: `ignored options: ${ignored}` };
      expect(answer.checks).toContainEqual(expect.objectContaining(warning));
    }
  });

  test("accepts a TTL index that an administrator added to the audit log", async () => {
    const audit = world.database.db().collection("audit");
    const years = 365 * 86_400;
    await audit.createIndexes([{ key: { at: 1 }, name: "retention", expireAfterSeconds: 2 * years }]);
    await world.database
      .db()
      .collection("batches")
      .createIndexes([{ key: { at: 1 }, name: "retention" }]);
    const { answer } = await cliOn(servers).json("doctor");
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
      const { exitCode, answer } = await cliOn(servers).json("doctor");
      const failed = answer.checks.filter((check: Check) => check.status === "fail");
      expect([repeated, exitCode, failed.map((check: Check) => check.name)]).toEqual([
        repeated,
        1,
        ["indexes of keys", "indexes of ledger"],
      ]);
      expect(failed[1].fix).toContain('dropIndex("batchId_1")');
    }
    expect((await cliOn(servers).run("doctor")).stdout).toMatch(/To fix:\n(?: {2}.*\n)* {2}indexes of keys: /);
    await ledger.dropIndex("batchId_1");
    await Promise.all([
      ledger.createIndexes([...LEDGER.indexes]),
      world.database.stored.keys.createIndexes([...KEYS.indexes]),
    ]);
  });

  test("counts the destinations that SECRETS_KEY does not decrypt, and misses a notifier only if there are some", async () => {
    const { secretsKey: key } = notifierSettings;
    const other = Buffer.alloc(32, 1).toString("base64");
    const ofDestinations = ["secrets key", "notifier", "deliveries"];
    const found = async (secretsKey?: string): Promise<[number, [string, string][]]> => {
      const { exitCode, answer } = await cliOn({ ...servers, SECRETS_KEY: secretsKey, DATA_DIR: "/nowhere" }).json(
        "doctor",
      );
      const checks = answer.checks.filter(({ name }: Check) => ofDestinations.includes(name));
      return [exitCode, checks.map(({ status, detail }: Check) => [status, detail])];
    };
    const healthy = [
      ["ok", "not set: destinations cannot be added"],
      ["ok", "none is running, and no destination exists"],
      ["ok", "none is waiting for an active destination"],
    ];
    expect(await found()).toEqual([0, healthy]);
    const { clanId } = (await world.makeClan()).clan;
    await destinationsIn(world.database).add(clanId, { kind: "webhook", url: "http://127.0.0.1:9/", signing: [] });
    const [exitCode, [secrets, notifier]] = await found(other);
    expect(exitCode).toBe(1);
    expect(secrets).toEqual(["fail", expect.stringContaining("1 of 1 destinations")]);
    expect(notifier).toEqual(["fail", expect.stringContaining("none is running")]);
    expect((await found())[1][0]).toEqual(["fail", expect.stringContaining("not set")]);
    expect((await cliOn({ ...servers, SECRETS_KEY: "short" }).run("doctor")).exitCode).toBe(2);

    await world.startNotifier();
    await until(async () => (await found(`${other},${key}`))[0] === 0);
  });

  test("exits with code 3 for an unreachable server, and still checks the other one", async () => {
    const noRedis = await cliOn({ ...servers, REDIS_URL: "redis://127.0.0.1:1" }).json("doctor");
    expect(noRedis.exitCode).toBe(3);
    expect(noRedis.answer.checks).toContainEqual(expect.objectContaining({ name: "redis", status: "fail" }));
    expect(noRedis.answer.checks).toContainEqual(expect.objectContaining({ name: "indexes of ledger", status: "ok" }));

    const noMongo = await cliOn({ ...servers, MONGO_URL: "mongodb://127.0.0.1:1/x" }).json("doctor");
    expect(noMongo.exitCode).toBe(3);
    const fix = expect.stringMatching(/SIGILL.*132.*AVX.*ARMv8\.2-A.*another machine.*MongoDB that runs elsewhere/);
    expect(noMongo.answer.checks).toContainEqual(expect.objectContaining({ name: "mongo", status: "fail", fix }));
    expect(noMongo.answer.checks).toContainEqual(expect.objectContaining({ name: "redis eviction", status: "ok" }));
  });
});
