// Schemathesis, which tries an API against its OpenAPI document: for tests alone, and only where Python and pip are. It lies in the
// cache folder, at the versions of test/security/schemathesis.txt; nothing outside is touched.

import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDir, root } from "../paths.js";
import { land } from "../system/land.js";
import { withLock } from "../system/lock.js";
import { withProgress } from "../system/progress.js";
import { run } from "../system/run.js";

const PYTHON = "python3";
const LIST = "schemathesis.txt";
const INSTALL_TIMEOUT_MS = 5 * 60_000;

/** @typedef {(module: string, args: string[], options?: import("../system/run.js").RunOptions) => Promise<import("../system/run.js").Ended>} RunModule */

/**
 * @param {(line: string) => void} log
 * @returns {Promise<{ value: RunModule } | { reason: string }>} runs one of the installed modules, or why it is not there
 */
export async function bringSchemathesis(log) {
  const wanted = readFileSync(join(root, "test", "security", LIST), "utf8");
  const dest = join(cacheDir, "schemathesis");
  return withLock(join(cacheDir, "schemathesis.lock"), log, () =>
    land({
      dest,
      program: (dir) => join(dir, LIST),
      tryOut: async (dir) => {
        if (readFileSync(join(dir, LIST), "utf8") !== wanted) return { reason: "other versions are wanted" };
        const runModule = modulesIn(dir);
        const ended = await runModule("schemathesis.cli", ["--version"]);
        return ended.ok ? { value: runModule } : { reason: ended.reason };
      },
      fill: async (dir) => {
        copyFileSync(join(root, "test", "security", LIST), join(dir, LIST));
        const args = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", dir, "--requirement", join(dir, LIST)];
        const installing = run(PYTHON, args, { timeoutMs: INSTALL_TIMEOUT_MS });
        const ended = await withProgress(log, "fetching Schemathesis with pip", installing);
        return ended.ok ? undefined : { reason: ended.reason };
      },
      log,
    }),
  );
}

/**
 * @param {string} dir
 * @returns {RunModule}
 */
function modulesIn(dir) {
  return (module, args, options) => run(PYTHON, ["-m", module, ...args], { ...options, env: { ...options?.env, PYTHONPATH: dir } });
}
