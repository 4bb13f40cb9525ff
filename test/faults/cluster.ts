// A service of real processes for a whole file of faults: what `npm start` runs, on disks that can be full, and a
// second API and worker, whose connections can be broken and whose clocks can jump.
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "#process/clock.ts";
import { randomText, crc32, digest } from "#process/secrets.ts";
import { SCOPES_DEFAULT } from "#domain/scope.ts";
import { makeClanStore } from "#clans/store/clan-store.ts";
import { openDatabase } from "#composition/open-database.ts";
import type { Database } from "#mongo/database.ts";
import { makeKeyStore } from "#keys/store/key-store.ts";
import { makeCreateKey } from "#keys/create-key.ts";
import { cliOn, type CommandLine } from "../support/cli.ts";
import { makeDataFolder, npmStart, readRunFile, type RunFile } from "../support/npm-start.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { autoClan, testLog } from "../support/world.ts";
import { findFakeClocks, type FakeClock } from "./fake-clock.ts";
import type { Target } from "./send.ts";
import { openProxies, type Proxies } from "../support/proxies.ts";
import { mountDisk, type Disk } from "./small-disk.ts";
import { boostsOf } from "../support/boosts.ts";
import { testActor } from "../support/actor.ts";
import { until } from "../support/until.ts";
import { withStored } from "../support/stored.ts";
import { startSecond, untilReady, type Role } from "./second-process.ts";

export type Victim = keyof RunFile["pids"];

export type Cluster = {
  database: Database;
  /** Those of the second API and worker. */
  proxies: Proxies;
  /** Between callers and the second API. */
  callers: TcpProxy;
  /** Of the second API and worker. */
  clocks: Record<Role, FakeClock> | { reason: string };
  disks: Record<"mongod" | "redis", Disk> | { reason: string };
  redisUrl: string;
  cli: CommandLine;
  /** The second API and worker live by their clocks, or by the machine's. */
  useClocks(requested: boolean): Promise<void>;
  /** How the second API and worker ended where they did so by themselves. */
  ended(): string[];
  /** A new clan that both APIs serve: what an earlier fault killed runs again. */
  makeTarget(): Promise<Target>;
  signal(victim: Victim, signal: NodeJS.Signals): void;
  /** Kills it and resolves when its successor runs. */
  kill(victim: Victim): Promise<void>;
  /** Resolves when it has ended by itself and its successor begins; `hasten` is done again and again until then. */
  death(victim: Victim, hasten?: () => Promise<unknown>): Promise<void>;
  /** Kills Redis and removes what it wrote before its successor can read it. */
  loseRedis(): Promise<void>;
  /** Copies what Redis has written; what it gives kills Redis and puts the copy in the place of what it wrote since. */
  copyRedis(): () => Promise<void>;
  /** Both processes are stopped by SIGTERM and started again, one after the other. */
  roll(role: Role): Promise<void>;
  close(): Promise<void>;
};

/** Some members reach it, and most of their awards are within it. */
const XP_PER_DAY = 600n;

export async function startCluster(): Promise<Cluster> {
  const { dataDir, remove } = makeDataFolder();
  const disks = mountDisks(dataDir);
  const run = await npmStart(dataDir, { LOG_LEVEL: "error" }).ready();
  const database = withStored(openDatabase({ url: run.mongoUrl, name: "clanxp-test", log: testLog }));
  await database.ready;
  const proxies = await openProxies(run);
  const clocks = await makeClocks(dataDir);
  const second = {
    api: await startSecond({ role: "api", dataDir, proxies }),
    worker: await startSecond({ role: "worker", dataDir, proxies }),
  };
  const callers = await startTcpProxy({ host: "127.0.0.1", port: second.api.port });
  const secondUrl = `http://127.0.0.1:${callers.port}`;
  const makeKey = makeCreateKey({
    clans: makeClanStore(database),
    keys: makeKeyStore(database),
    clock: systemClock,
    digest,
    crc32,
    randomText,
  });

  // As a load balancer does it: a process that is being stopped, or not ready yet, receives no new requests.
  const serving = new Set([run.baseUrl, secondUrl]);

  async function replaced(victim: Victim, act: (pid: number) => void): Promise<void> {
    const pid = readRunFile(dataDir).pids[victim];
    act(pid);
    await until(() => readRunFile(dataDir).pids[victim] !== pid);
  }

  return {
    database,
    proxies,
    callers,
    clocks,
    disks,
    redisUrl: run.redisUrl,
    cli: cliOn({ MONGO_URL: run.mongoUrl, REDIS_URL: run.redisUrl }),
    async useClocks(requested) {
      await Promise.all(
        (["api", "worker"] as const).map((role) =>
          second[role].use(requested && !("reason" in clocks) ? clocks[role].env : {}),
        ),
      );
    },
    ended: () => [second.api.ended(), second.worker.ended()].filter((how) => how !== null),
    async makeTarget() {
      await Promise.all([untilReady(run.opsUrl), second.api.ready(), second.worker.ready()]);
      const clanId = `faults-${randomText(10)}`;
      // Both act in every round: what they made of each award must be true, too.
      const dailyCap = { xp: XP_PER_DAY, since: 1 };
      await makeClanStore(database).create({ ...autoClan, clanId, dailyCap }, testActor);
      await boostsOf({ database }).put(clanId, { percent: 150, ranks: ["Recruit"] });
      const issued = await makeKey(
        { clanId, name: "faults", scopes: [...SCOPES_DEFAULT, "reverse"], expiresAt: null },
        testActor,
      );
      if (issued.kind !== "issued") throw new Error(issued.detail);
      return { clanId, key: issued.secret, baseUrls: () => [...serving] };
    },
    signal: (victim, signal) => void process.kill(readRunFile(dataDir).pids[victim], signal),
    kill: (victim) => replaced(victim, (pid) => process.kill(pid, "SIGKILL")),
    async death(victim, hasten) {
      const pid = readRunFile(dataDir).pids[victim];
      await until(async () => {
        await hasten?.().catch(() => {});
        return readRunFile(dataDir).pids[victim] !== pid;
      });
    },
    loseRedis: () =>
      replaced("redis", (pid) => {
        process.kill(pid, "SIGKILL");
        rmSync(join(dataDir, "redis", "appendonlydir"), { recursive: true, force: true });
      }),
    copyRedis() {
      const [written, copy] = [join(dataDir, "redis", "appendonlydir"), join(dataDir, `redis-copy-${randomText(6)}`)];
      cpSync(written, copy, { recursive: true });
      return () =>
        replaced("redis", (pid) => {
          process.kill(pid, "SIGKILL");
          rmSync(written, { recursive: true, force: true });
          cpSync(copy, written, { recursive: true });
        });
    },
    async roll(role) {
      const isApi = role === "api";
      await replaced(role, (pid) => {
        process.kill(pid, "SIGTERM");
        if (isApi) serving.delete(run.baseUrl);
      });
      if (isApi) await untilReady(run.opsUrl);
      if (isApi) serving.add(run.baseUrl);
      const restarted = second[role].restart();
      if (isApi) serving.delete(secondUrl);
      await restarted;
      if (isApi) serving.add(secondUrl);
    },
    async close() {
      await database.close();
      await remove();
      await Promise.all([proxies.close(), callers.close()]);
    },
  };
}

function mountDisks(dataDir: string): Cluster["disks"] {
  const mongod = mountDisk(join(dataDir, "mongo"));
  if ("reason" in mongod) return mongod;
  const redis = mountDisk(join(dataDir, "redis"));
  return "reason" in redis ? redis : { mongod, redis };
}

async function makeClocks(dataDir: string): Promise<Cluster["clocks"]> {
  const clocks = await findFakeClocks();
  if ("reason" in clocks) return clocks;
  return { api: clocks.make(join(dataDir, "clocks", "api")), worker: clocks.make(join(dataDir, "clocks", "worker")) };
}
