// Starts the servers that all tests share and tells every test file their URLs: `inject("mongoUrl")`, `inject("redisUrl")`.
// Given MONGO_URL or REDIS_URL are used instead. Nothing of it is left behind.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startServices } from "../../scripts/services.js";

declare module "vitest" {
  export interface ProvidedContext {
    mongoUrl: string;
    redisUrl: string;
  }
}

export default async function setUp(project: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), "clanxp-test-"));
  const services = await startServices({
    dataDir,
    mongoUrl: process.env["MONGO_URL"],
    redisUrl: process.env["REDIS_URL"],
    log: (line) => console.error(line),
  });
  project.provide("mongoUrl", services.mongoUrl);
  project.provide("redisUrl", services.redisUrl);

  return async () => {
    await services.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
