// Every check of the source, as a list. All of them run, even after one has failed, so that one run reports everything
// to fix.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { cacheDir, root } from "../paths.js";
import { run } from "../system/run.js";
import { findTool } from "../tools/find-tool.ts";
import { tools } from "../tools/list.ts";
import { failureOf } from "./failures.ts";
import type { Failure } from "./failures-reporter.ts";
import type { Outcome } from "./run-tests.ts";

const TOOLS = join(root, "node_modules", ".bin");

/**
 * `builds`: the package that contains its builds for single platforms. `missing`: why its tool is not available. `fix`:
 * the command that repairs what it finds.
 */
type Check = {
  title: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  builds?: string;
  missing?: string;
  fix?: string;
};

export async function runChecks(print: (line: string) => void): Promise<Outcome> {
  const all = [...checks(), await checkOfWorkflows()];
  const possible = all.filter(({ title, builds, missing }) => {
    const noHash = `package-lock.json has no hash of its build for ${process.platform} ${process.arch}`;
    const reason = missing ?? (builds && isLeftOut(builds) ? noHash : undefined);
    if (reason !== undefined) print(`left out  ${title}: ${reason}`);
    return reason === undefined;
  });
  const failures: Failure[] = [];
  await Promise.all(
    possible.map(async ({ title, command, args, env: own, fix }) => {
      const startedAt = performance.now();
      // The tools begin with "env node", which must be Node 24.
      const env = { PATH: `${TOOLS}${delimiter}${process.env["PATH"]}`, ...own };
      const ended = await run(command, args, { cwd: root, env });
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      print(`${ended.ok ? "ok    " : "FAILED"}  ${title} (${seconds} s)`);
      if (ended.ok) return;
      const found = ended.output.trim() || ended.reason;
      const message = fix === undefined ? found : `${found}\nTo fix it, run: ${fix}`;
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

/** What did not change since the last run is not checked again: 3 instead of 25 s of CPU time. */
function incremental(project: string) {
  return ["--incremental", "--tsBuildInfoFile", join(cacheDir, "types", `${project}.tsbuildinfo`)];
}

/** The same for the types of the linter, which collects garbage less often, too: two thirds of the CPU time. */
const LINT = { GOMAXPROCS: "1", GOGC: "400" };

function checks(): Check[] {
  return [
    { title: "types (tsc)", command: join(TOOLS, "tsc"), args: [...TSC, ...incremental("service")] },
    {
      title: "types of the pages (tsc)",
      command: join(TOOLS, "tsc"),
      args: [...TSC, ...incremental("pages"), "-p", "apps/dashboard/web"],
    },
    {
      title: "lint (oxlint --type-aware)",
      command: join(TOOLS, "oxlint"),
      args: ["--type-aware", "--deny-warnings"],
      env: LINT,
      builds: "@oxlint",
    },
    {
      title: "format (oxfmt --check)",
      command: join(TOOLS, "oxfmt"),
      args: ["--check"],
      builds: "@oxfmt",
      fix: "node_modules/.bin/oxfmt",
    },
    { title: "unused code (knip)", command: join(TOOLS, "knip"), args: ["--no-progress"], builds: "@oxc-parser" },
    { title: "house rules (tidy)", command: process.execPath, args: [join(root, "scripts", "tidy", "main.ts")] },
  ];
}

/** Without what actionlint would find on some machines only: the check is the same on all of them. */
const ACTIONLINT = ["-shellcheck=", "-pyflakes=", "-no-color"];

async function checkOfWorkflows(): Promise<Check> {
  const title = "workflows (actionlint)";
  const found = await findTool(tools.actionlint, { cacheDir, mayFetch: false, log: () => {} });
  if ("reason" in found)
    return { title, command: "", args: [], missing: `actionlint is ${found.reason}; npm run setup:tools fetches it` };
  const folder = join(root, ".github", "workflows");
  const files = readdirSync(folder).map((file) => join(folder, file));
  return { title, command: found.value.path, args: [...ACTIONLINT, ...files] };
}
