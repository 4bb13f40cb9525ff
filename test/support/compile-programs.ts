// Compiles the product's programs while the first tests run: hundreds of processes are started in a run, and those that
// are killed leave nothing compiled for the next. Real processes do it, because only functions that have run are
// compiled in full. The cache outlives the run: Node checks each entry against its source. It depends on the options of
// Node: the processes that `npm start` and `npm run api` start have others.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTimeout } from "#async/with-timeout.ts";
import { compiledDir, root } from "../../scripts/paths.js";
import { nodeOptions } from "../../scripts/supervise/node-options.ts";
import { run } from "../../scripts/system/run.js";
import { startProcess } from "./processes.ts";

/** It exists if all of them were compiled here once. What has changed since is compiled when it is loaded. */
const MARK = join(compiledDir, `programs-${process.version}`);

const ROLES = ["api", "worker", "notifier", "dashboard"] as const;
const TIMEOUT_MS = 60_000;

type Servers = { MONGO_URL: string; REDIS_URL: string };

/** A failure costs time alone: the tests start the same programs. */
export async function compilePrograms(servers: Servers): Promise<void> {
  if (existsSync(MARK)) return;
  const ended = await Promise.allSettled([
    ...ROLES.flatMap((role) => [[], nodeOptions[role]].map((options) => runOnce(role, servers, options))),
    runCommandLine(servers),
  ]);
  if (ended.every(({ status }) => status === "fulfilled") && existsSync(compiledDir)) writeFileSync(MARK, "");
}

async function runOnce(role: (typeof ROLES)[number], servers: Servers, options: readonly string[]): Promise<void> {
  const program = startProcess(role, servers, options);
  try {
    await withTimeout(program.ready(), TIMEOUT_MS, `The ${role} is not ready`);
  } finally {
    await program.stop();
  }
}

async function runCommandLine(servers: Servers): Promise<void> {
  const command = [join(root, "scripts", "clanxp.js"), "clan", "list"];
  const ended = await run(process.execPath, command, { env: servers, timeoutMs: TIMEOUT_MS });
  if (!ended.ok) throw new Error(ended.reason);
}
