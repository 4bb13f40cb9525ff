// Every check of the source, as a list. All of them run, also after one has failed, so that one run names all there is
// to mend.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../paths.js";
import { run } from "../system/run.js";
import { failureOf } from "./failure-of.js";

const TOOLS = join(root, "node_modules", ".bin");

/** @typedef {{ title: string, command: string, args: string[], builds?: string }} Check `builds`: where its builds for single platforms are */

/**
 * @param {{ node: string, print: (line: string) => void }} options
 * @returns {Promise<import("./run-tests.js").Outcome>}
 */
export async function runChecks({ node, print }) {
  const all = checks(node);
  const possible = all.filter(({ builds }) => !builds || !isLeftOut(builds));
  for (const { title } of all.filter((check) => !possible.includes(check))) {
    print(`left out  ${title}: package-lock.json has no hash of its build for ${process.platform} ${process.arch}`);
  }
  /** @type {import("./run-tests.js").Failure[]} */
  const failures = [];
  await Promise.all(
    possible.map(async ({ title, command, args }) => {
      const startedAt = Date.now();
      // The tools begin with "env node", which must be Node 24.
      const env = { PATH: `${TOOLS}${delimiter}${process.env["PATH"]}` };
      const ended = await run(command, args, { cwd: root, env });
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      print(`${ended.ok ? "ok    " : "FAILED"}  ${title} (${seconds} s)`);
      if (ended.ok) return;
      const message = ended.output.trim() || ended.reason;
      print(message);
      failures.push(failureOf({ project: "check", name: title, message }));
    }),
  );
  return { passed: possible.length - failures.length, failed: failures.length, failures };
}

/**
 * Set-up installs no build without a hash. (One that is missing for another reason fails its check.)
 * @param {string} builds
 */
function isLeftOut(builds) {
  const folder = join(root, "node_modules", builds);
  if (existsSync(folder) && readdirSync(folder).length > 0) return false;
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return Object.keys(packages).some(
    (path) =>
      path.startsWith(`node_modules/${builds}/`) &&
      !packages[path].integrity &&
      packages[path].os?.includes(process.platform) &&
      packages[path].cpu?.includes(process.arch),
  );
}

/**
 * @param {string} node
 * @returns {Check[]}
 */
function checks(node) {
  const tidy = join(root, "scripts", "tidy.js");
  return [
    { title: "types (tsc)", command: join(TOOLS, "tsc"), args: ["--noEmit"] },
    { title: "types of the pages (tsc)", command: join(TOOLS, "tsc"), args: ["--noEmit", "-p", "apps/dashboard/web"] },
    {
      title: "lint (oxlint --type-aware)",
      command: join(TOOLS, "oxlint"),
      args: ["--type-aware", "--deny-warnings"],
      builds: "@oxlint",
    },
    { title: "format (oxfmt --check)", command: join(TOOLS, "oxfmt"), args: ["--check"], builds: "@oxfmt" },
    { title: "unused code (knip)", command: join(TOOLS, "knip"), args: ["--no-progress"], builds: "@oxc-parser" },
    ...(existsSync(tidy) ? [{ title: "house rules (tidy)", command: node, args: [tidy] }] : []),
  ];
}
