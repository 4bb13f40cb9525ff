// The demo clan of a new data folder. A marker stands from before the first thing is written until the clan is there, so
// that a crash in between is made good by the next start.

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.js";
import { withProgress } from "../system/progress.js";
import { run } from "../system/run.js";

const SEED_TIMEOUT_MS = 60_000;

/** @param {string} dataDir */
export function demoKeyFile(dataDir) {
  return join(dataDir, "demo-key");
}

/**
 * To be called first of all on a data folder.
 * @param {string} dataDir
 * @param {string} lockName
 */
export function markIfNew(dataDir, lockName) {
  mkdirSync(dataDir, { recursive: true });
  const isNew = readdirSync(dataDir).every((name) => name.startsWith(lockName));
  if (isNew) writeFileSync(marker(dataDir), "the demo clan is still to be made\n");
}

/**
 * @param {{ dataDir: string, node: string, mongoUrl: string, log: (line: string) => void }} options
 */
export async function seedDemoIfNew({ dataDir, node, mongoUrl, log }) {
  if (!existsSync(marker(dataDir))) return;
  const script = join(root, "apps", "cli", "seed-demo.ts");
  const seeding = run(node, [script, demoKeyFile(dataDir)], { env: { MONGO_URL: mongoUrl }, timeoutMs: SEED_TIMEOUT_MS });
  const ended = await withProgress(log, "making the demo clan", seeding);
  if (!ended.ok) throw new Error(`The demo clan could not be made: ${ended.reason}`);
  rmSync(marker(dataDir));
}

/** @param {string} dataDir */
function marker(dataDir) {
  return join(dataDir, "demo-pending");
}
