// Installs node_modules from the lockfile. They are installed in another folder, which replaces the old one when it is
// complete. A stamp inside records their sources: without the stamp, or with another one, they are installed again.

import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { withProgress } from "../system/progress.js";
import { run } from "../system/run.js";

const INSTALL_TIMEOUT_MS = 15 * 60_000;
const PART_PREFIX = "part-node_modules-";

/**
 * @param {{ root: string, cacheDir: string, toolchain: import("./toolchain.js").Toolchain, log: (line: string) => void }} options
 */
export async function installDependencies({ root, cacheDir, toolchain, log }) {
  await installPackages({ root, cacheDir, npm: [toolchain.node, toolchain.npm], log });
  // npm puts this folder first on the PATH of its scripts: `npm run api` runs on Node 24.
  place(nodeLauncher(toolchain.node), join(root, "node_modules", ".bin", "node"));
}

/**
 * `npm`: the command, and its arguments.
 * @param {{ root: string, cacheDir: string, npm: string[], log: (line: string) => void }} options
 */
export async function installPackages({ root, cacheDir, npm, log }) {
  if (isInstalled(root)) return;
  const modules = join(root, "node_modules");
  mkdirSync(cacheDir, { recursive: true });
  removeLeftovers(cacheDir);
  const part = mkdtempSync(join(cacheDir, PART_PREFIX));
  await npmCi({ root, part, npm, log });
  writeFileSync(stampFile(join(part, "node_modules")), expectedStamp(root));
  if (existsSync(modules)) renameSync(modules, join(part, "old"));
  renameSync(join(part, "node_modules"), modules);
  removeLeftovers(cacheDir);
}

/** @param {string} root */
export function isInstalled(root) {
  const file = stampFile(join(root, "node_modules"));
  return existsSync(file) && readFileSync(file, "utf8") === expectedStamp(root);
}

/** @param {string} modules */
function stampFile(modules) {
  return join(modules, ".clanxp-stamp");
}

/**
 * Only the parts that determine the installed packages: a new line under "scripts" does not cause another installation.
 * @param {string} root
 */
function expectedStamp(root) {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const facts = [
    readFileSync(join(root, "package-lock.json"), "utf8"),
    { dependencies, devDependencies, optionalDependencies, overrides },
    process.platform,
    process.arch,
  ];
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}

/**
 * @param {{ root: string, part: string, npm: string[], log: (line: string) => void }} options
 */
async function npmCi({ root, part, npm: [command = "npm", ...script], log }) {
  for (const name of ["package.json", ".npmrc"]) copyFileSync(join(root, name), join(part, name));
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  writeFileSync(join(part, "package-lock.json"), JSON.stringify(onlyHashed(lock)));
  const args = [...script, "ci", "--prefix", part, "--ignore-scripts", "--no-audit", "--no-fund", "--include=dev"];
  const installing = run(command, args, { cwd: part, timeoutMs: INSTALL_TIMEOUT_MS });
  const ended = await withProgress(log, "installing the packages of package-lock.json (npm ci)", installing);
  if (ended.ok) return;
  throw new Error(
    `The packages of package-lock.json could not be installed: ${ended.reason}\nRun \`npm ci\` to see the complete output of npm.`,
  );
}

/**
 * Packages without a hash in the lockfile are not installed, because npm would accept whatever a registry serves under
 * their name. They are optional builds for single platforms, which the registry lacked when the lockfile was created.
 * @param {{ packages: Record<string, { integrity?: string }> }} lock
 */
function onlyHashed(lock) {
  const packages = Object.entries(lock.packages).filter(
    ([path, { integrity }]) => path === "" || integrity !== undefined,
  );
  return { ...lock, packages: Object.fromEntries(packages) };
}

/** @param {string} cacheDir */
function removeLeftovers(cacheDir) {
  for (const name of readdirSync(cacheDir)) {
    if (name.startsWith(PART_PREFIX)) rmSync(join(cacheDir, name), { recursive: true, force: true });
  }
}

/**
 * Not a link: a damaged Node 24 would shadow the newcomer's Node in every npm script, and with it the set-up that
 * repairs it.
 * @param {string} node
 */
function nodeLauncher(node) {
  return `#!/bin/sh
# Node 24 for npm's scripts, or where it does not run the next node on PATH.
node='${node.replaceAll("'", `'\\''`)}'
{ "$node" --version | grep -q '^v'; } 2>/dev/null && exec "$node" "$@"
IFS=:
set -f
for dir in $PATH; do
  case $dir in */node_modules/.bin) ;; *) [ -x "$dir/node" ] && exec "$dir/node" "$@" ;; esac
done
echo "Node 24 at $node does not run, and there is no other node on PATH" >&2
exit 127
`;
}

/**
 * @param {string} script
 * @param {string} path
 */
function place(script, path) {
  if (existsSync(path) && readFileSync(path, "utf8") === script) return;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, script, { mode: 0o755 });
  renameSync(draft, path);
}
