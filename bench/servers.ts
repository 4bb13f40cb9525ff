// The servers of one benchmark: its own MongoDB and Redis, with the settings of `npm start`, on the disk of this
// checkout. All of it is removed when the benchmark ends, even after a failure.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, statfsSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MongoClient } from "mongodb";
import { cacheDir } from "../scripts/paths.js";
import { startServices, type RunningService } from "../scripts/services/start-services.ts";
import { startPostgres, type Postgres } from "./postgres.ts";

const TMPFS = 0x01021994;
/**
 * Half of what MongoDB would take by itself. `npm start` gives it 512 MB, in which the data of all subjects together
 * does not fit.
 */
const CACHE_MB = Math.floor(totalmem() / 2 ** 20 / 4);

export type Servers = {
  /** The share of the entries that subjects fill in, and of the visits beside awards. */
  size: number;
  dataDir: string;
  /** Of a database with this name. */
  mongoUrl(database: string): string;
  redisUrl: string;
  mongo: MongoClient;
  postgres: Postgres | null;
  pids: { mongod: number; redis: number; postgres?: number };
  versions: { mongod: string; redis: string; postgres: string | null };
  /** One more Redis, for a subject that is to lose its own. */
  startRedis(): Promise<{ redisUrl: string; redis: RunningService }>;
  stop(): Promise<void>;
};

export async function startServers({
  log,
  wantsPostgres,
  size = 1,
}: {
  log: (line: string) => void;
  wantsPostgres: boolean;
  size?: number;
}): Promise<Servers> {
  mkdirSync(cacheDir, { recursive: true });
  const dataDir = mkdtempSync(join(realpathSync(cacheDir), "bench-"));
  if (statfsSync(dataDir).type === TMPFS)
    throw new Error(`${dataDir} is in memory: a journal there costs nothing, so nothing would be measured`);
  const guard = spawn(
    process.execPath,
    [fileURLToPath(new URL("../test/support/clean-up.ts", import.meta.url)), dataDir],
    {
      detached: true,
      stdio: ["pipe", "ignore", "inherit"],
    },
  );
  guard.unref();

  const services = await startServices({ dataDir: join(dataDir, "servers"), log });
  const { mongod, redis } = services;
  if (!mongod || !redis) throw new Error("the bench starts servers of its own");
  const mongoUrl = (database: string): string => {
    const url = new URL(services.mongoUrl);
    url.pathname = `/${database}`;
    return url.href;
  };
  const mongo = await new MongoClient(mongoUrl("admin"), { useBigInt64: true }).connect();
  await mongo.db("admin").command({ setParameter: 1, wiredTigerEngineRuntimeConfig: `cache_size=${CACHE_MB}M` });
  const postgres = wantsPostgres ? await startPostgres({ dataDir: join(dataDir, "postgres"), log }) : null;
  return {
    size,
    dataDir,
    mongoUrl,
    redisUrl: services.redisUrl,
    mongo,
    postgres,
    pids: { mongod: mongod.pid, redis: redis.pid, ...(postgres ? { postgres: postgres.pid } : {}) },
    versions: { mongod: mongod.version, redis: redis.version, postgres: postgres?.version ?? null },
    async startRedis() {
      const second = await startServices({ dataDir: join(dataDir, "second"), mongoUrl: services.mongoUrl, log });
      if (!second.redis) throw new Error("a second Redis did not start");
      return { redisUrl: second.redisUrl, redis: second.redis };
    },
    async stop() {
      await postgres?.stop();
      await mongo.close();
      guard.ref();
      guard.stdin.end();
      await once(guard, "exit");
    },
  };
}
