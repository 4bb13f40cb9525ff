// MongoDB restored from a backup as docs/how-to/back-up-and-restore.md says, beside a Redis that remembers more and an
// API that was not stopped: what was acknowledged after the backup is gone, and nothing else is wrong.
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { describe, expect, onTestFinished, test } from "vitest";
import { callerAwardKey } from "#domain/award-key.ts";
import type { EntryDoc } from "#ledger/store/entry-model.ts";
import { openDatabase } from "#composition/open-database.ts";
import type { Database } from "#mongo/database.ts";
import { dataFolder, npmStart } from "../support/npm-start.ts";
import { startProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { realCliOn } from "../support/cli.ts";
import { testLog } from "../support/world.ts";
import type { SentAward } from "../support/oracle.ts";
import { startLoad } from "./load.ts";
import { openProxies } from "../support/proxies.ts";
import { seedOfRun } from "../support/seed.ts";
import { sendOnce, type Target } from "./send.ts";
import { violations } from "./violations.ts";

const MEMBERS = 6;

describe.skipIf(process.platform !== "linux")("MongoDB restored from a backup", { timeout: 180_000 }, () => {
  test("contains every award acknowledged before the backup and none after it, and retries apply the lost awards", async () => {
    const dataDir = dataFolder();
    const first = npmStart(dataDir, { LOG_LEVEL: "error" });
    const run = await first.ready();
    const proxies = await openProxies(run);
    const left = startProcess("api", { ...urlsOf({ ...run, mongoUrl: proxies.config.mongoUrl }) });
    const client = new MongoClient(run.mongoUrl);
    onTestFinished(async () => {
      await left.stop();
      await client.close();
      await proxies.close();
    });
    const [{ port }, { answer: key }] = await Promise.all([
      left.ready(),
      realCliOn(urlsOf(run)).json("key", "create", "demo", "--name", "backup"),
    ]);
    let urls = [run.baseUrl, `http://127.0.0.1:${port}`];
    const target: Target = { clanId: "demo", key: key.secret, baseUrls: () => urls };
    const atLeft: Target = { ...target, baseUrls: () => urls.slice(1) };
    const load = startLoad(target, { callers: 8, members: MEMBERS, queues: 1, batchers: 1, seed: seedOfRun() });
    await load.acknowledged(60);

    // As the page says: lock, copy, unlock.
    const admin = client.db("admin");
    const backup = `${dataDir}-backup`;
    // The lock may come between the insert of an entry and its journal: that entry is written, and not acknowledged.
    const acknowledged = await idsIn(client, "majority");
    await admin.command({ fsync: 1, lock: true });
    cpSync(join(dataDir, "mongo"), backup, { recursive: true });
    const written = await idsIn(client, "local");
    await admin.command({ fsyncUnlock: 1 });
    await load.acknowledged(100);
    const seen = await load.stop();
    // This API is the last that changes each member: it remembers them, the numbers in Redis agree, and it has not
    // projected them.
    const last = Array.from({ length: MEMBERS }, (_, index) => newAward(`m${index + 1}`));
    await Promise.all(last.map((award) => sendOnce(atLeft, award)));
    proxies.mongo.rejectConnections(true);
    proxies.mongo.reset();

    first.signalNpm("SIGTERM");
    expect(await first.ended).toBe(0);
    rmSync(join(dataDir, "mongo"), { recursive: true });
    cpSync(backup, join(dataDir, "mongo"), { recursive: true });
    const restored = await npmStart(dataDir, { LOG_LEVEL: "error" }).ready();
    const database = openDatabase({ url: restored.mongoUrl, name: "clanxp-test", log: testLog });
    onTestFinished(() => database.close());
    await database.ready;
    await untilBatchesEnded(database);
    const entries = await ledgerOf(database);
    expect([...acknowledged.difference(new Set(entries.map(idOf)))]).toStrictEqual([]);
    expect(entries.filter((entry) => !entry.batchId && !written.has(idOf(entry)))).toStrictEqual([]);
    const verified = await realCliOn(urlsOf(restored)).json("reconcile");
    expect([verified.exitCode, verified.answer.differences]).toStrictEqual([0, []]);

    proxies.mongo.rejectConnections(false);
    urls = [restored.baseUrl, `http://127.0.0.1:${port}`];
    const again = last.map(({ platformId }) => newAward(platformId));
    await Promise.all(again.map((award) => until(async () => (await sendOnce(atLeft, award)) === 200)));
    const stored = new Set(entries.map(({ _id, key: awardKey }) => `${_id.platformId} ${awardKey}`));
    const isStored = (award: SentAward): boolean => stored.has(`${award.platformId} ${callerAwardKey(award.key)}`);
    const gone = seen.awards.filter((award) => !isStored(award));
    expect(gone.length).toBeGreaterThan(0);
    const awards = seen.awards.map((award) => ({ ...award, answers: isStored(award) ? award.answers : [] }));
    await inTurns(awards, 8, (award, index) => until(async () => (await sendOnce(target, award, index)) === 200));
    expect(awards.filter((award) => award.answers.at(-1)?.replayed === false)).toHaveLength(gone.length);

    const records = new Set(
      (await database.db().collection("batches").find().toArray()).map(({ idempotencyKey }) => idempotencyKey),
    );
    const batches = seen.batches.filter((batch) => records.has(batch.key));
    expect(
      await violations("MongoDB restored from a backup", database, "demo", { awards: [...awards, ...again], batches }),
    ).toStrictEqual([]);
  });
});

function urlsOf({ mongoUrl, redisUrl }: { mongoUrl: string; redisUrl: string }): Record<string, string> {
  return { MONGO_URL: mongoUrl, REDIS_URL: redisUrl };
}

async function idsIn(client: MongoClient, level: "local" | "majority"): Promise<Set<string>> {
  const ledger = client.db("clanxp").collection<EntryDoc>("ledger", { readConcern: { level } });
  const ids = await ledger.find({}, { projection: { _id: 1 } }).toArray();
  return new Set(ids.map(idOf));
}

function idOf({ _id }: Pick<EntryDoc, "_id">): string {
  return JSON.stringify(_id);
}

function ledgerOf(database: Database): Promise<EntryDoc[]> {
  return database.db().collection<EntryDoc>("ledger").find({ "_id.clanId": "demo" }).toArray();
}

function untilBatchesEnded(database: Database): Promise<void> {
  const batches = () => database.db().collection("batches");
  return until(async () => (await batches().countDocuments({ state: { $ne: "done" } })) === 0);
}

/** The last of a member, before the restore or behind it: it has the same key, and the first one is gone. */
function newAward(platformId: string): SentAward {
  return { platformId, key: "last", amount: 5, answers: [] };
}

/** The number of awards that are sent at the same time. */
async function inTurns<T>(
  items: readonly T[],
  atOnce: number,
  act: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const takeAndTake = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) await act(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: atOnce }, takeAndTake));
}
