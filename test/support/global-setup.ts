// One real MongoDB and one real Redis for the whole run, in a folder of their own; each test file has its own database in them.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  const dataDir = await mkdtemp(join(tmpdir(), "clanxp-test-"));
  const services = await startServices({
    dataDir,
    mongoUrl: process.env["TEST_MONGO_URL"],
    redisUrl: process.env["TEST_REDIS_URL"],
    log: (line) => console.log(line),
  });
  project.provide("mongoUrl", services.mongoUrl);
  project.provide("redisUrl", services.redisUrl);
  return async () => {
    await services.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
