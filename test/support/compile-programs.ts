// Compiles the product's programs while the first tests run: hundreds of processes are started in a run, and those that
// are killed leave nothing compiled for the next. Real processes do it, because only functions that have run are
// compiled in full. The cache outlives the run: Node checks each entry against its source. It depends on the options of
// Node: the processes that `npm start` and `npm run api` start have others.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiledDir, root } from "../../scripts/paths.js";
import { nodeOptions } from "../../scripts/supervise/node-options.ts";
import { run } from "../../scripts/system/run.js";
import { startProcess } from "./processes.ts";

/** It exists if all of them were compiled here once. What has changed since is compiled when it is loaded. */
const MARK = join(compiledDir, `programs-${process.version}`);

/** `servers`: MONGO_URL and REDIS_URL. A failure costs time alone: the tests start the same programs. */
export async function compilePrograms(servers: Record<string, string>): Promise<void> {
  if (existsSync(MARK)) return;
  const ended = await Promise.allSettled([
    ...[[], nodeOptions].flatMap((options) =>
      (["api", "worker", "dashboard"] as const).map(async (role) => {
        const program = startProcess(role, servers, options);
        try {
          await program.ready();
        } finally {
          await program.stop();
        }
      }),
    ),
    run(process.execPath, [join(root, "scripts", "clanxp.js"), "clan", "list"], { env: servers }),
  ]);
  if (ended.every(({ status }) => status === "fulfilled") && existsSync(compiledDir)) writeFileSync(MARK, "");
}
