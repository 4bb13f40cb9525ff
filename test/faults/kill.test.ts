// Processes killed under load, for real: what was acknowledged counts once, what was not can be sent again, batches end.
import { readFileSync } from "node:fs";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Entry } from "#domain/award.ts";
import { openDatabase } from "#store/database.ts";
import { entryOfDoc } from "#store/documents.ts";
import type { EntryDoc } from "#store/models.ts";
import { dataFolder, npmStart, readRunFile, root, until } from "../scripts/npm-start.ts";
import { testLog } from "../support/world.ts";
import { disagreements } from "./history.ts";
import { seedOfRun } from "./seed.ts";
import { sendBatch, startLoad, type Target } from "./load.ts";

const CLAN = "demo";

async function startService(): Promise<{
  dataDir: string;
  target: Target;
  kill: (name: "api" | "worker" | "mongod" | "redis") => Promise<void>;
}> {
  const dataDir = dataFolder();
  await npmStart(dataDir).ready();
  const key = readFileSync(join(dataDir, "demo-key"), "utf8").trim();
  return {
    dataDir,
    target: { baseUrls: () => [readRunFile(dataDir).baseUrl], key, clanId: CLAN },
    async kill(name) {
      const pid = readRunFile(dataDir).pids[name];
      process.kill(pid, "SIGKILL");
      await until(() => readRunFile(dataDir).pids[name] !== pid);
    },
  };
}

async function ledgerOf(dataDir: string): Promise<Entry[]> {
  const database = openDatabase({ url: readRunFile(dataDir).mongoUrl, name: "clanxp-test", log: testLog });
  await database.ready;
  try {
    return (await database.db().collection<EntryDoc>("ledger").find({ "_id.clanId": CLAN }).toArray()).map(entryOfDoc);
  } finally {
    await database.close();
  }
}

/** Exit 1, and so a rejection, when the books do not balance. */
async function reconcile(dataDir: string): Promise<{ differences: unknown[]; entries: number }> {
  const command = ["scripts/clanxp.js", "reconcile", "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root, env: { ...process.env, DATA_DIR: dataDir } });
  return JSON.parse(stdout);
}

describe("kill -9 under load", { timeout: 180_000 }, () => {
  test.for([["mongod"], ["api"], ["redis"], ["mongod", "api"]] as const)(
    "of %s: every acknowledged award counts exactly once, every other can be sent again",
    async (victims) => {
      const { dataDir, target, kill } = await startService();
      const load = startLoad(target, { callers: 24, members: 10, seed: seedOfRun() });
      await load.acknowledged(200);
      await Promise.all(victims.map(kill));
      await load.acknowledged(600);
      const { awards: history } = await load.stop();

      expect(disagreements(history, await ledgerOf(dataDir))).toStrictEqual([]);
      expect(await reconcile(dataDir)).toMatchObject({ differences: [], entries: history.length });
    },
  );

  test("of the worker in mid-batch: every batch ends, every entry counts once", async () => {
    const { dataDir, target, kill } = await startService();
    const awards = Array.from({ length: 500 }, (_, index) => ({ platformId: `b${index % 50}`, amount: 1 + (index % 7) }));
    const batches = Array.from({ length: 20 }, (_, index) => sendBatch(target, awards, `batch-${index}`));
    await until(async () => (await ledgerOf(dataDir)).length > 0);
    await kill("worker");
    const batchIds = await Promise.all(batches);

    expect(new Set(batchIds).size).toBe(20);
    const ledger = await ledgerOf(dataDir);
    expect(ledger).toHaveLength(20 * awards.length);
    expect(new Set(ledger.map((entry) => entry.key)).size).toBe(ledger.length);
    expect(await reconcile(dataDir)).toMatchObject({ differences: [], entries: ledger.length });
  });
});
