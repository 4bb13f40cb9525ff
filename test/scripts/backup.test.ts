// Backups as docs/how-to/back-up-and-restore.md describes them: what is restored serves, holds what was acknowledged
// before, and its books are right.
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { afterAll, describe, expect, test } from "vitest";
import { cliOn } from "../support/cli.ts";
import { award, dataFolder, makeDataFolder, npmStart, readRunFile } from "../support/npm-start.ts";
import { until } from "../support/until.ts";

describe("a backup", { timeout: 180_000 }, () => {
  const folders: ReturnType<typeof makeDataFolder>[] = [];
  /** One that the first test has restored, and that still serves. */
  let serving: string | null = null;
  afterAll(() => Promise.all(folders.map(({ remove }) => remove())));

  function folderOfAll(): string {
    const folder = makeDataFolder();
    folders.push(folder);
    return folder.dataDir;
  }

  async function servingFolder(): Promise<string> {
    if (serving === null) {
      serving = folderOfAll();
      await npmStart(serving).ready();
    }
    return serving;
  }

  test("that copies the data of a stopped `npm start` restores everything", async () => {
    const [dataDir, backup] = [dataFolder(), folderOfAll()];
    const first = npmStart(dataDir);
    await first.ready();
    expect(await award(dataDir, "m", 25)).toStrictEqual({ status: 200, xp: "25" });
    first.signalNpm("SIGTERM");
    expect(await first.ended).toBe(0);
    cpSync(dataDir, backup, { recursive: true });
    rmSync(dataDir, { recursive: true });

    await npmStart(backup).ready();
    expect(await award(backup, "m", 5)).toStrictEqual({ status: 200, xp: "30" });
    await expectLedgerConsistent(backup);
    serving ??= backup;
  });

  test("that copies MongoDB's files under locked writes restores everything, and waiting awards are applied afterwards", async () => {
    const [dataDir, restored] = [await servingFolder(), dataFolder()];
    const { mongoUrl } = readRunFile(dataDir);
    expect(await award(dataDir, "n", 25)).toStrictEqual({ status: 200, xp: "25" });

    const client = await new MongoClient(mongoUrl).connect();
    const admin = client.db("admin");
    await admin.command({ fsync: 1, lock: true });
    let answered = false;
    const heldUp = award(dataDir, "n", 5).finally(() => (answered = true));
    await until(async () => (await admin.command({ currentOp: 1, waitingForLock: true }))["inprog"].length > 0);
    mkdirSync(restored, { recursive: true });
    cpSync(join(dataDir, "mongo"), join(restored, "mongo"), { recursive: true });
    expect(answered).toBe(false);
    await admin.command({ fsyncUnlock: 1 });
    await client.close();
    expect(await heldUp).toStrictEqual({ status: 200, xp: "30" });

    // The copy has no demo key's secret, for MongoDB has it neither: the clan and its books are what was saved.
    await npmStart(restored).ready();
    const { answer } = await cliOf(restored).json("member", "show", "demo", "n");
    expect(answer).toMatchObject({ xp: "25" });
    await expectLedgerConsistent(restored);
  });
});

function cliOf(dataDir: string) {
  const { mongoUrl, redisUrl } = readRunFile(dataDir);
  return cliOn({ MONGO_URL: mongoUrl, REDIS_URL: redisUrl });
}

async function expectLedgerConsistent(dataDir: string): Promise<void> {
  const { exitCode, answer } = await cliOf(dataDir).json("reconcile");
  expect(answer.differences).toStrictEqual([]);
  expect(answer.entries).toBeGreaterThan(0);
  expect(exitCode).toBe(0);
}
