// The demo clan of a new data folder. A marker exists from before the first write until the clan is created, so that
// the next start completes it after a crash in between.

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.js";
import { withProgress } from "../system/progress.js";
import { run } from "../system/run.js";

const SEED_TIMEOUT_MS = 60_000;

export function demoKeyFile(dataDir: string) {
  return join(dataDir, "demo-key");
}

/** Must be called before anything else writes to a data folder. */
export function markIfNew(dataDir: string, lockName: string) {
  mkdirSync(dataDir, { recursive: true });
  const isNew = readdirSync(dataDir).every((name) => name.startsWith(lockName));
  if (isNew) writeFileSync(marker(dataDir), "the demo clan is not created yet\n");
}

export async function seedDemoIfNew({
  dataDir,
  mongoUrl,
  log,
}: {
  dataDir: string;
  mongoUrl: string;
  log: (line: string) => void;
}) {
  if (!existsSync(marker(dataDir))) return;
  const script = join(root, "apps", "cli", "seed-demo.ts");
  const seeding = run(process.execPath, [script, demoKeyFile(dataDir)], {
    env: { MONGO_URL: mongoUrl },
    timeoutMs: SEED_TIMEOUT_MS,
  });
  const ended = await withProgress(log, "creating the demo clan", seeding);
  if (!ended.ok) throw new Error(`The demo clan could not be created: ${ended.reason}`);
  rmSync(marker(dataDir));
}

/**
 * The link with which the owner of the demo clan signs in, once; without the demo clan, the address of the sign-in
 * page. The account is created at the first start without one. If an operator has removed it, it stays removed.
 */
export async function demoLink({
  dataDir,
  mongoUrl,
  dashboardUrl,
  log,
}: {
  dataDir: string;
  mongoUrl: string;
  dashboardUrl: string;
  log: (line: string) => void;
}) {
  if (!existsSync(demoKeyFile(dataDir))) return dashboardUrl;
  const created = join(dataDir, "demo-account");
  const args = [join(root, "apps", "cli", "demo-link.ts"), ...(existsSync(created) ? [] : ["create"])];
  const ended = await run(process.execPath, args, { env: { MONGO_URL: mongoUrl }, timeoutMs: SEED_TIMEOUT_MS });
  if (!ended.ok) {
    log(`no link for the owner of the demo clan: ${ended.reason}`);
    return dashboardUrl;
  }
  writeFileSync(created, "the account demo-owner was created\n");
  const token = ended.output.trim();
  return token === "" ? dashboardUrl : `${dashboardUrl}/link#${token}`;
}

function marker(dataDir: string) {
  return join(dataDir, "demo-pending");
}
