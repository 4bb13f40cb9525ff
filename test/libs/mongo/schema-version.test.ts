// Two versions on one database: a version serves the documents that it can read, and exits before it changes any
// others.
import { afterAll, beforeEach, expect, test } from "vitest";
import { openDatabase, reachDatabase } from "#composition/open-database.ts";
import { mayPrepare } from "#mongo/schema-version.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { expectResponse } from "../../support/responses.ts";
import { cliOn, realCliOn } from "../../support/cli.ts";
import { makeWorld, testLog, type World } from "../../support/world.ts";
import { startProcess, type RealProcess } from "../../support/processes.ts";

type SchemaDoc = { _id: string; version: number; readableFrom: number };
const worlds: World[] = [];
const processes: RealProcess[] = [];
let world: World;
beforeEach(async () => {
  world = await makeWorld();
  worlds.push(world);
});
afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await Promise.all(worlds.map((one) => one.close()));
});

const ledger = () => world.database.db().collection<{ _id: object; key: string }>("ledger");
const meta = () => world.database.db().collection<SchemaDoc>("meta");
const note = (version: number, readableFrom: number) =>
  meta().replaceOne({ _id: "schema" }, { version, readableFrom }, { upsert: true, writeConcern: { w: "majority" } });

test("a database records the version of its documents from its first use on", async () => {
  expect(await meta().find({ _id: "schema" }).toArray()).toStrictEqual([
    { _id: "schema", version: 4, readableFrom: 2 },
  ]);
});

test("concurrent processes agree on the version of an empty database", async () => {
  await world.database.db().dropDatabase();
  const reach = () =>
    reachDatabase({ url: world.rootMongoUrl, log: testLog, name: "clanxp-test", withinMs: 20_000, prepare: true });
  const reached = await Promise.all(Array.from({ length: 12 }, reach));
  await Promise.all(reached.map((database) => database.close()));
  expect(await meta().find({ _id: "schema" }).toArray()).toStrictEqual([
    { _id: "schema", version: 4, readableFrom: 2 },
  ]);
});

test("documents of an older version are adopted", async () => {
  await note(0, 0);
  await world.startApi();
  expect(await meta().findOne({ _id: "schema" })).toStrictEqual({ _id: "schema", version: 4, readableFrom: 2 });
});

test("documents of a newer version that this one can read are served, and the newer version stays recorded", async () => {
  await note(5, 2);
  const { port } = await world.startApi();
  const clan = await makeClanCaller(world, port);
  expect(expectResponse("apply-award", await clan.award("m", { amount: 5 })).xp).toBe("5");
  expect(await meta().findOne({ _id: "schema" })).toStrictEqual({ _id: "schema", version: 5, readableFrom: 2 });
});

test("a command whose documents older processes could not read fails without a change of version or indexes", async () => {
  await note(1, 1);
  const batches = world.database.db().collection("batches");
  await batches.dropIndexes();
  const cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  const ended = await cli.run("clan", "create", "early");
  expect(ended).toMatchObject({ exitCode: 3, stdout: "" });
  expect(ended.stderr).toContain("Upgrade the API and the workers first");
  expect(await meta().findOne({ _id: "schema" })).toStrictEqual({ _id: "schema", version: 1, readableFrom: 1 });
  expect(await batches.indexes()).toHaveLength(1);
  expect(await world.database.db().collection("clans").countDocuments()).toBe(0);

  await world.startWorker();
  expect((await cli.run("clan", "create", "early")).exitCode).toBe(0);
  expect((await batches.indexes()).length).toBeGreaterThan(1);
});

test("a command prepares a new database or one of its own version, but not one that older processes serve", async () => {
  const next = { version: 5, readableFrom: 4 };
  expect(await mayPrepare(world.database.db())).toBe(true);
  expect(await mayPrepare(world.database.db(), next)).toBe(false);
  await note(5, 4);
  expect(await mayPrepare(world.database.db(), next)).toBe(true);
  await meta().deleteOne({ _id: "schema" });
  expect(await mayPrepare(world.database.db(), next)).toBe(true);
});

const inTheWay: [string, string, () => Promise<unknown>][] = [
  [
    "another index has its fields",
    'the index reporting is in its place. Drop it: db.ledger.dropIndex("reporting")',
    async () => {
      await ledger().dropIndex("_id.clanId_1_at_1");
      await ledger().createIndexes([{ key: { "_id.clanId": 1, at: 1 }, name: "reporting" }]);
    },
  ],
  [
    "another index has its name",
    'the index _id.clanId_1_at_1 is in its place. Drop it: db.ledger.dropIndex("_id.clanId_1_at_1")',
    async () => {
      await ledger().dropIndex("_id.clanId_1_at_1");
      await ledger().createIndexes([{ key: { at: 1 }, name: "_id.clanId_1_at_1" }]);
    },
  ],
  [
    "several documents have the same values",
    "several documents have the same _id.clanId, _id.platformId, key. Remove all but one of them",
    async () => {
      await ledger().dropIndex("_id.clanId_1__id.platformId_1_key_1");
      const twice = [1, 2].map((seq) => ({ _id: { clanId: "c", platformId: "S3cret", seq }, key: "S3cret" }));
      await ledger().insertMany(twice);
    },
  ],
];

test.each(inTheWay)(
  "an index that cannot be built because %s ends the start with its name, and the version stays",
  async (_, fault, break_) => {
    await note(1, 1);
    await break_();
    const urls = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl };
    const process = startProcess("worker", urls);
    processes.push(process);
    await process.loggedOrExited("worker.start_failed");
    expect(process.output()).toMatch(/MongoDB cannot build the index _id\.clanId_1_\S+ of the collection ledger: /);
    expect(process.output()).toContain(JSON.stringify(fault).slice(1, -1));
    expect(process.output()).not.toMatch(/mongo\.unreachable|S3cret/);
    expect(await process.ended()).toBe(1);
    expect(await meta().findOne({ _id: "schema" })).toStrictEqual({ _id: "schema", version: 1, readableFrom: 1 });

    const { exitCode, answer } = await cliOn(urls).json("doctor");
    const { fix } = answer.checks.find(({ name }: { name: string }) => name === "indexes of ledger");
    expect(exitCode).toBe(1);
    expect(fix).toMatch(fault.includes("several") ? /^clanxp reconcile(?!.*restart)/ : /dropIndex.*restart an API/);
  },
);

test("a preparation that fails for another reason is logged as such, and is made once it is possible", async () => {
  await note(1, 1);
  await ledger().dropIndex("batchId_1");
  const logged = Promise.withResolvers<string>();
  const log = { ...testLog, warn: (_: object, event: string) => logged.resolve(event) };
  // The user of an API may not create indexes.
  const database = openDatabase({ url: world.config.mongoUrl, name: "clanxp-test", log });
  expect(await logged.promise).toBe("mongo.not_prepared");
  expect(await meta().findOne({ _id: "schema" })).toStrictEqual({ _id: "schema", version: 1, readableFrom: 1 });
  await world.startWorker();
  await database.ready;
  await database.close();
  expect(await meta().findOne({ _id: "schema" })).toStrictEqual({ _id: "schema", version: 4, readableFrom: 2 });
});

test("API, worker and command line exit with an error if only a newer version can read the documents", async () => {
  await note(5, 5);
  const urls = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl };
  for (const role of ["api", "worker"] as const) {
    const process = startProcess(role, urls);
    processes.push(process);
    await process.loggedOrExited(`${role}.start_failed`);
    expect(process.output()).toContain(
      "documents of version 5; this Clan XP reads up to version 4. Start the newer Clan XP again",
    );
    expect(await process.ended()).toBe(1);
  }
  const ended = await realCliOn(urls).run("clan", "create", "late");
  expect(ended).toMatchObject({ exitCode: 3, stdout: "" });
  expect(ended.stderr).toContain("documents of version 5");
  expect(await meta().findOne({ _id: "schema" })).toStrictEqual({ _id: "schema", version: 5, readableFrom: 5 });
  expect(await world.database.db().collection("clans").countDocuments()).toBe(0);
}, 60_000);
