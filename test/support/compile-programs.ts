// Compiles the product's programs before any test starts one: hundreds of processes are started in a run, and those
// that are killed leave nothing compiled for the next. The cache outlives the run: Node checks each entry against its
// source. It depends on the options of Node: the processes that `npm start` and `npm run api` start have others.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiledDir, root } from "../../scripts/paths.js";
import { nodeOptions } from "../../scripts/supervise/node-options.ts";
import { run } from "../../scripts/system/run.js";

const PROGRAMS = ["api/compose.ts", "worker/compose.ts", "dashboard/compose.ts", "cli/run-cli.ts"];
/** It exists if all of them were compiled here once. What has changed since is compiled when it is loaded. */
const MARK = join(compiledDir, `programs-${process.version}`);
const TIMEOUT_MS = 60_000;

/** Sets the cache of every process of the run. A failure costs time alone. */
export async function compilePrograms(): Promise<void> {
  process.env["NODE_COMPILE_CACHE"] = compiledDir;
  if (existsSync(MARK)) return;
  const imports = PROGRAMS.map((program) => `await import(${JSON.stringify(join(root, "apps", program))});`);
  const script = [...imports, "process.exit();"].join("\n");
  const ended = await Promise.all(
    [[], nodeOptions].map((options) =>
      run(process.execPath, [...options, "--input-type=module", "--eval", script], { timeoutMs: TIMEOUT_MS }),
    ),
  );
  if (ended.every(({ ok }) => ok) && existsSync(compiledDir)) writeFileSync(MARK, "");
}
