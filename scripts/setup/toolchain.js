// Node 24 and one certain npm, fetched with the npm that the newcomer has; a running Node 24 is used as it is.
// Nothing outside the cache folder is touched.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { land } from "../system/land.js";
import { withProgress } from "../system/progress.js";
import { run } from "../system/run.js";

// Exact versions: two people who set up a year apart get the same tools.
const NODE_VERSION = "24.21.0";
// One npm for everyone: run by an older Node, npm skips optional packages that ask for a newer one.
const NPM_VERSION = "11.5.2";
const NODE_MAJOR_MIN = 24;
const FETCH_TIMEOUT_MS = 10 * 60_000;

/** @typedef {{ node: string, npm: string }} Toolchain the program, and the script that it runs to be npm */

/** @param {string} [version] */
export function isNewEnough(version = process.versions.node) {
  return Number(version.split(".")[0]) >= NODE_MAJOR_MIN;
}

/**
 * @param {{ cacheDir: string, log: (line: string) => void }} options
 * @returns {Promise<Toolchain>}
 */
export async function findToolchain({ cacheDir, log }) {
  const dest = join(cacheDir, "toolchain");
  // The second package asks the registry for the right one in an install script, should a platform be named otherwise.
  const nodePackages = isNewEnough() ? [undefined] : [`node-${process.platform}-${process.arch}`, "node"];
  const reasons = [];
  for (const nodePackage of nodePackages) {
    const result = await land({
      dest,
      program: (dir) => toolchainIn(dir).npm,
      tryOut,
      fill: (dir) => fetchToolchain(dir, nodePackage, log),
      log,
    });
    if ("value" in result) return result.value;
    reasons.push(`  ${nodePackage ?? "npm"}: ${result.reason}`);
  }
  throw new Error(
    [
      `Clan XP runs on Node ${NODE_MAJOR_MIN}; this is Node ${process.versions.node}, and fetching what is missing failed:`,
      ...reasons,
      "Ways out:",
      `  install Node ${NODE_MAJOR_MIN} or later by any way you like and run this again`,
      "  check that `npm view node version` works here (proxy, registry, certificates)",
      `  delete ${cacheDir} and run this again`,
    ].join("\n"),
  );
}

/**
 * @param {string} dir
 * @returns {Toolchain}
 */
function toolchainIn(dir) {
  const modules = join(dir, "node_modules");
  const specific = join(modules, `node-${process.platform}-${process.arch}`, "bin", "node");
  const fetched = existsSync(specific) ? specific : join(modules, "node", "bin", "node");
  // A process that runs on the fetched Node keeps pointing at it; npm's way to put it on PATH must not make it "the user's".
  return {
    node: isNewEnough() ? process.execPath : fetched,
    npm: join(modules, "npm", "bin", "npm-cli.js"),
  };
}

/**
 * @param {string} dir
 * @returns {Promise<{ value: Toolchain } | { reason: string }>}
 */
async function tryOut(dir) {
  const toolchain = toolchainIn(dir);
  const node = await run(toolchain.node, ["--version"]);
  if (!node.ok) return { reason: node.reason };
  if (!isNewEnough(node.output.trim().slice(1))) return { reason: `damaged (node --version says "${node.output.trim()}")` };
  return { value: toolchain };
}

/**
 * @param {string} dir
 * @param {string | undefined} nodePackage
 * @param {(line: string) => void} log
 */
async function fetchToolchain(dir, nodePackage, log) {
  const packages = [`npm@${NPM_VERSION}`, ...(nodePackage ? [`${nodePackage}@${NODE_VERSION}`] : [])];
  const ignoreScripts = `--ignore-scripts=${nodePackage !== "node"}`;
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--engine-strict=false", ignoreScripts];
  const installing = run("npm", ["install", "--prefix", dir, ...flags, ...packages], {
    cwd: dir,
    timeoutMs: FETCH_TIMEOUT_MS,
  });
  const ended = await withProgress(log, `fetching ${packages.join(" and ")} with npm`, installing);
  return ended.ok ? undefined : { reason: ended.reason };
}
