// While a process starts: no read or write before collections and indexes exist.
import { setTimeout as pause } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { expect, test } from "vitest";
import { POOL_WAIT_MS, SERVER_SELECTION_MS } from "#mongo/bounds.ts";
import { openDatabase, reachDatabase } from "#composition/open-database.ts";
import type { Database } from "#mongo/database.ts";
import { makeProxiedWorld } from "../../support/proxies.ts";
import { testLog } from "../../support/world.ts";

/** MongoDB has a second for its reply, which a busy machine may take. */
const untilPinged = (database: Database) => expect.poll(() => database.ping()).toBeInstanceOf(Date);

test("a database whose indexes could not be created is not ready until they exist", async ({ onTestFinished }) => {
  const { proxies } = await makeProxiedWorld(onTestFinished);
  const cut = proxies.mongo.cutAfter("there", { text: "createIndexes" }, { andRejectOthers: true });
  const database = openDatabase({ url: proxies.config.mongoUrl, name: "clanxp-test", log: testLog });
  onTestFinished(() => database.close());
  await cut;
  expect(() => database.db()).toThrow("not ready yet");
  await expect(database.ping()).rejects.toThrow("its indexes do not exist yet");

  // It began later and searches for MongoDB as long: the database has given up and tries again by then.
  const late = new MongoClient(proxies.config.mongoUrl, { serverSelectionTimeoutMS: SERVER_SELECTION_MS });
  await expect(late.connect()).rejects.toMatchObject({ name: "MongoServerSelectionError" });
  proxies.mongo.rejectConnections(false);
  await database.ready;
  await untilPinged(database);
  const session = database.db().client.startSession();
  onTestFinished(() => session.endSession());
  expect(await database.db().command({ ping: 1 }, { session })).toMatchObject({ ok: 1 });
}, 60_000);

test("a database that could not be prepared is ready once MongoDB returns, and can be closed meanwhile", async ({
  onTestFinished,
}) => {
  const { proxies } = await makeProxiedWorld(onTestFinished);
  const open = () => openDatabase({ url: proxies.config.mongoUrl, name: "clanxp-test", log: testLog });
  const cut = proxies.mongo.cutAfter("there", { text: "createIndexes" }, { andRejectOthers: true });
  const database = open();
  onTestFinished(() => database.close());
  await cut;
  const another = open();
  await another.close();
  await expect(another.ready).resolves.toBeUndefined();
  proxies.mongo.rejectConnections(false);
  await database.ready;
  await untilPinged(database);
}, 60_000);

test("a process with a single task prepares its database within its own time, although MongoDB pauses meanwhile", async ({
  onTestFinished,
}) => {
  const { proxies } = await makeProxiedWorld(onTestFinished);
  const holding = proxies.mongo.holdBack("createIndexes");
  const options = { name: "clanxp-test", log: testLog, withinMs: 30_000, prepare: true };
  const reaching = reachDatabase({ url: proxies.config.mongoUrl, ...options });
  const deliver = await holding;
  proxies.mongo.hold();
  await pause(POOL_WAIT_MS + 500);
  proxies.mongo.release();
  await deliver();
  const database = await reaching;
  onTestFinished(() => database.close());
  expect(await database.ping()).toBeInstanceOf(Date);
}, 60_000);
