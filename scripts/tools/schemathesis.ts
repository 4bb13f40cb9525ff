// Installs Schemathesis, which tests an API against its OpenAPI document: only for tests, and only if Python and pip
// are available. It is installed into the cache folder, in the versions of test/security/schemathesis.txt.

import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDir, root } from "../paths.js";
import { installFolder, type Installation } from "../system/install-folder.js";
import { withLock } from "../system/lock.js";
import { pipInstall } from "../system/pip.ts";
import { withProgress } from "../system/progress.js";
import { run, type Ended, type RunOptions } from "../system/run.js";

const PYTHON = "python3";
const LIST = "schemathesis.txt";

export type RunModule = (module: string, args: string[], options?: RunOptions) => Promise<Ended>;

/** Runs one of the installed modules; returns null and prints the reason if they cannot be installed. */
export async function bringSchemathesis(): Promise<RunModule | null> {
  const log = (line: string) => console.error(line);
  const installed = await withLock(join(cacheDir, "schemathesis.lock"), log, () => installFolder(installation(log)));
  if ("value" in installed) return installed.value;
  log(`Schemathesis is left out: ${installed.reason}`);
  return null;
}

function installation(log: (line: string) => void): Installation<RunModule> {
  const list = join(root, "test", "security", LIST);
  return {
    dest: join(cacheDir, "schemathesis"),
    program: (dir) => join(dir, LIST),
    tryOut: async (dir) => {
      if (readFileSync(join(dir, LIST), "utf8") !== readFileSync(list, "utf8"))
        return { reason: "other versions are required" };
      const ended = await modulesIn(dir)("schemathesis.cli", ["--version"]);
      return ended.ok ? { value: modulesIn(dir) } : { reason: ended.reason };
    },
    fill: async (dir) => {
      copyFileSync(list, join(dir, LIST));
      return withProgress(log, "fetching Schemathesis with pip", pipInstall({ list, dir }));
    },
    log,
  };
}

function modulesIn(dir: string): RunModule {
  return (module, args, options) =>
    run(PYTHON, ["-m", module, ...args], { ...options, env: { ...options?.env, PYTHONPATH: dir } });
}
