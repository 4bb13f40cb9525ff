// One real MongoDB and one real Redis for the whole run; each test file has its own database in them. Whatever a test puts into the
// temporary folder lies in the run's own, which is removed with all processes in it however the run ends. TEST_SERVERS=containers takes
// both servers from Testcontainers instead of this machine.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { startServices } from "../../scripts/services.js";

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  export interface ProvidedContext {
    mongoUrl: string;
    redisUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runDir = mkdtempSync(join(realpathSync(tmpdir()), "clanxp-test-"));
  // Detached: a Ctrl-C must not reach it.
  const guard = spawn(process.execPath, [fileURLToPath(new URL("./guard.ts", import.meta.url)), runDir], {
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  guard.unref();
  process.env["TMPDIR"] = runDir;
  // What one process compiled, the next one of the same program loads: hundreds of processes are started in a run.
  process.env["NODE_COMPILE_CACHE"] = join(runDir, "compiled");

  const containers = process.env["TEST_SERVERS"] === "containers" ? await startContainers() : undefined;
  const services = await startServices({
    dataDir: join(runDir, "servers"),
    mongoUrl: containers?.mongoUrl ?? process.env["TEST_MONGO_URL"],
    redisUrl: containers?.redisUrl ?? process.env["TEST_REDIS_URL"],
    log: (line) => console.log(line),
  });
  project.provide("mongoUrl", services.mongoUrl);
  project.provide("redisUrl", services.redisUrl);
  return async () => {
    await containers?.stop();
    guard.ref();
    guard.stdin.end();
    await once(guard, "exit");
  };
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
