// Every check of the source, as a list. All of them run, even after one has failed, so that one run reports everything
// to fix.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../paths.js";
import { run } from "../system/run.js";
import { failureOf } from "./failures.ts";
import type { Failure } from "./failures-reporter.ts";
import type { Outcome } from "./run-tests.ts";

const TOOLS = join(root, "node_modules", ".bin");

/** `builds`: the package that contains its builds for single platforms. */
type Check = { title: string; command: string; args: string[]; builds?: string };

export async function runChecks(print: (line: string) => void): Promise<Outcome> {
  const all = checks();
  const possible = all.filter(({ builds }) => !builds || !isLeftOut(builds));
  for (const { title } of all.filter((check) => !possible.includes(check))) {
    print(`left out  ${title}: package-lock.json has no hash of its build for ${process.platform} ${process.arch}`);
  }
  const failures: Failure[] = [];
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

/** Set-up installs no build without a hash. (If a build is missing for another reason, its check fails.) */
function isLeftOut(builds: string) {
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

/** Of its four checkers by default, each resolves the types of the packages again: 14 instead of 5 s of CPU time. */
const TSC = ["--noEmit", "--checkers", "1"];

function checks(): Check[] {
  return [
    { title: "types (tsc)", command: join(TOOLS, "tsc"), args: TSC },
    { title: "types of the pages (tsc)", command: join(TOOLS, "tsc"), args: [...TSC, "-p", "apps/dashboard/web"] },
    {
      title: "lint (oxlint --type-aware)",
      command: join(TOOLS, "oxlint"),
      args: ["--type-aware", "--deny-warnings"],
      builds: "@oxlint",
    },
    { title: "format (oxfmt --check)", command: join(TOOLS, "oxfmt"), args: ["--check"], builds: "@oxfmt" },
    { title: "unused code (knip)", command: join(TOOLS, "knip"), args: ["--no-progress"], builds: "@oxc-parser" },
    { title: "house rules (tidy)", command: process.execPath, args: [join(root, "scripts", "tidy", "main.ts")] },
  ];
}
