// A service of real processes for a whole file of faults: what `npm start` runs, and a second API and worker beside it, whose wires
// to MongoDB and Redis can be broken.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "#runtime/clock.ts";
import { randomText, crc32, digest } from "#runtime/secrets.ts";
import { SCOPES_DEFAULT } from "#domain/scope.ts";
import { makeClanStore } from "#store/clan-store.ts";
import { openDatabase, type Database } from "#store/database.ts";
import { makeKeyStore } from "#store/key-store.ts";
import { makeCreateKey } from "#usecases/issue-key.ts";
import { freePort } from "../../scripts/services/ports.js";
import { makeDataFolder, npmStart, readRunFile, root, until, type RunFile } from "../scripts/npm-start.ts";
import { autoClan, testLog } from "../support/world.ts";
import type { Target } from "./load.ts";
import { openWires, type Wires } from "./proxied.ts";

export type Role = "api" | "worker";
export type Victim = keyof RunFile["pids"];

export type Cluster = {
  database: Database;
  wires: Wires;
  redisUrl: string;
  /** A new clan, served by both APIs. */
  makeTarget(): Promise<Target>;
  signal(victim: Victim, signal: NodeJS.Signals): void;
  /** Kills it and resolves when its successor runs. */
  kill(victim: Victim): Promise<void>;
  /** Kills Redis and removes what it wrote before its successor can read it. */
  loseRedis(): Promise<void>;
  /** One after the other of the two processes ends by SIGTERM and is there again. */
  roll(role: Role): Promise<void>;
  close(): Promise<void>;
};

export async function startCluster(): Promise<Cluster> {
  const { dataDir, remove } = makeDataFolder();
  const run = await npmStart(dataDir, { LOG_LEVEL: "error" }).ready();
  const database = openDatabase({ url: run.mongoUrl, name: "clanxp-test", log: testLog });
  await database.ready;
  const wires = await openWires(run);
  const second = { api: await secondOf("api", dataDir, wires), worker: await secondOf("worker", dataDir, wires) };
  const makeKey = makeCreateKey({
    clans: makeClanStore(database),
    keys: makeKeyStore(database),
    clock: systemClock,
    digest,
    crc32,
    randomText,
  });

  // As a balancer keeps it: a process that is told to end, or not ready yet, is sent nothing new.
  const serving = new Set([run.baseUrl, second.api.url]);

  async function replaced(victim: Victim, act: (pid: number) => void): Promise<void> {
    const pid = readRunFile(dataDir).pids[victim];
    act(pid);
    await until(() => readRunFile(dataDir).pids[victim] !== pid);
  }

  return {
    database,
    wires,
    redisUrl: run.redisUrl,
    async makeTarget() {
      const clanId = `faults-${randomText(10)}`;
      await makeClanStore(database).create({ ...autoClan, clanId });
      const issued = await makeKey({ clanId, name: "faults", scopes: SCOPES_DEFAULT, expiresAt: null });
      if (issued.kind !== "issued") throw new Error(issued.detail);
      return { clanId, key: issued.secret, baseUrls: () => [...serving] };
    },
    signal: (victim, signal) => void process.kill(readRunFile(dataDir).pids[victim], signal),
    kill: (victim) => replaced(victim, (pid) => process.kill(pid, "SIGKILL")),
    loseRedis: () =>
      replaced("redis", (pid) => {
        process.kill(pid, "SIGKILL");
        rmSync(join(dataDir, "redis", "appendonlydir"), { recursive: true, force: true });
      }),
    async roll(role) {
      const isApi = role === "api";
      await replaced(role, (pid) => {
        process.kill(pid, "SIGTERM");
        if (isApi) serving.delete(run.baseUrl);
      });
      if (isApi) await untilReady(run.opsUrl);
      if (isApi) serving.add(run.baseUrl);
      const restarted = second[role].restart();
      if (isApi) serving.delete(second.api.url);
      await restarted;
      if (isApi) serving.add(second.api.url);
    },
    async close() {
      await database.close();
      await remove();
      await wires.close();
    },
  };
}

/** `npm run api` or `npm run worker`, configured by its environment alone; found by DATA_DIR when all is removed. */
async function secondOf(role: Role, dataDir: string, wires: Wires): Promise<{ url: string; restart(): Promise<void> }> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const env = { PORT: String(port), OPS_PORT: String(opsPort), MONGO_URL: wires.config.mongoUrl, REDIS_URL: wires.config.redisUrl };
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  const start = (): ChildProcess =>
    spawn("npm", ["run", "--silent", role], {
      cwd: root,
      env: { ...process.env, ...env, LOG_LEVEL: "error", DATA_DIR: dataDir },
      stdio: "ignore",
    });
  let child = start();
  await untilReady(opsUrl);
  return {
    url: `http://127.0.0.1:${port}`,
    async restart() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      child = start();
      await untilReady(opsUrl);
    },
  };
}

async function untilReady(opsUrl: string): Promise<void> {
  await until(() =>
    fetch(`${opsUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}
