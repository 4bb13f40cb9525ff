// One real MongoDB and one real Redis for the whole run; each test file has its own database in them, and the product's
// processes connect with the rights that docs/how-to/database-users.md gives them. Whatever a test puts into the
// temporary folder lies in the run's own, which is removed with all processes in it however the run ends, as is the
// servers' folder. TEST_SERVERS=containers takes both servers from Testcontainers instead of this machine.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, realpathSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { compiledDir } from "../../scripts/paths.js";
import { cpuOf } from "../../scripts/check/timings.ts";
import { startServices, type Services } from "../../scripts/services/start-services.ts";
import { compilePrograms } from "./compile-programs.ts";
import { makeGuardedMongod, type MongoUrls } from "./guarded-mongod.ts";

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  export interface ProvidedContext {
    mongoUrls: MongoUrls;
    redisUrl: string;
  }
}

const MEMORY_DISK = "/dev/shm";
/** A run's servers write up to 2 GiB there, and the processes of a run need some beside it. */
const MEMORY_DISK_BYTES_MIN = 8 * 2 ** 30;

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runDir = mkdtempSync(join(realpathSync(tmpdir()), "clanxp-test-"));
  const serversDir = mkdtempSync(join(placeOfServers(), "clanxp-test-servers-"));
  // Detached: a Ctrl-C must not reach it.
  const guard = spawn(
    process.execPath,
    [fileURLToPath(new URL("./clean-up.ts", import.meta.url)), runDir, serversDir],
    {
      detached: true,
      stdio: ["pipe", "ignore", "inherit"],
    },
  );
  guard.unref();
  process.env["TMPDIR"] = runDir;
  process.env["NODE_COMPILE_CACHE"] = compiledDir;
  // Every core is busy: with the usual four threads for garbage collection and compilation, each process needs 4 % more
  // CPU time than with one.
  process.env["NODE_OPTIONS"] = [process.env["NODE_OPTIONS"], "--v8-pool-size=1"].filter(Boolean).join(" ");

  const containers = process.env["TEST_SERVERS"] === "containers" ? await startContainers() : undefined;
  const guarded = makeGuardedMongod();
  const services = await startServices({
    dataDir: join(serversDir, "servers"),
    mongoUrl: containers?.mongoUrl ?? process.env["TEST_MONGO_URL"],
    redisUrl: containers?.redisUrl ?? process.env["TEST_REDIS_URL"],
    mongodKind: guarded.kind,
    // oxlint-disable-next-line eslint/no-console -- a download of minutes is explained before the first test
    log: (line) => console.log(line),
  });
  const mongoUrls = guarded.urlsOf(services.mongoUrl);
  // Only on servers that end with the run: it leaves a database behind.
  const areOwn = services.mongod !== undefined && services.redis !== undefined;
  const compiled = areOwn ? compilePrograms({ MONGO_URL: mongoUrls.root, REDIS_URL: services.redisUrl }) : null;
  project.provide("mongoUrls", mongoUrls);
  project.provide("redisUrl", services.redisUrl);
  return async () => {
    await compiled;
    if (process.env["TEST_TIMINGS"]) noteServers(process.env["TEST_TIMINGS"], services);
    await containers?.stop();
    guard.ref();
    guard.stdin.end();
    await once(guard, "exit");
  };
}

function noteServers(file: string, services: Services): void {
  for (const name of ["mongod", "redis"] as const) {
    const pid = services[name]?.pid;
    if (pid === undefined) continue;
    const line = { file: name, project: "of the run", wall: 0, own: 0, others: cpuOf(pid).own };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
}

/**
 * In memory where there is plenty: every test would wait for the disk, and what these servers store ends with the run.
 * Tests that kill a server start their own servers, on the disk.
 */
function placeOfServers(): string {
  const isLarge = existsSync(MEMORY_DISK) && freeBytesOf(MEMORY_DISK) >= MEMORY_DISK_BYTES_MIN;
  return isLarge && process.availableMemory() >= MEMORY_DISK_BYTES_MIN ? MEMORY_DISK : realpathSync(tmpdir());
}

function freeBytesOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Loaded only where it is wanted: it looks for a Docker engine. */
async function startContainers(): Promise<{ mongoUrl: string; redisUrl: string; stop(): Promise<void> }> {
  const { startMongoContainer, startRedisContainer } = await import("./container-servers.ts");
  const [mongo, redis] = await Promise.all([startMongoContainer(), startRedisContainer()]);
  return {
    mongoUrl: mongo.url,
    redisUrl: redis.url,
    async stop() {
      await Promise.all([mongo.container.stop(), redis.container.stop()]);
    },
  };
}
