// `npm test -- --changed`: selects the tests for the changes of this branch since it left main, including uncommitted
// ones. It says what it leaves out.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { run } from "../system/run.js";
import { testsOf } from "./changed-tests.ts";

/** The first of these that exists is the branch to merge into. */
const MAINS = ["origin/main", "main"];
/** The names of all files of a repository many times as large. */
const OUTPUT_BYTES_MAX = 16 * 2 ** 20;
const git = promisify(execFile);

/**
 * The arguments for vitest, which change only if `--changed` is among them, without a commit; null: no test is
 * affected. `cwd` is a git checkout.
 */
export async function argsOfChanged(
  args: string[],
  { cwd, print }: { cwd: string; print: (line: string) => void },
): Promise<string[] | null> {
  if (!args.includes("--changed")) return args;
  const changed = await changedSince(await baseOf(cwd), cwd);
  const { all, selected } = testsOf({ root: cwd, changed });
  const leftOut = all.length - selected.length;
  print(`left out  ${leftOut} of ${all.length} test files, which neither import nor start what this branch changes`);
  print("left out  of the others, those of npm run test:long");
  if (selected.length === 0) return null;
  const others = args.filter((arg) => arg !== "--changed");
  return ["--project", "!long*", "--passWithNoTests", ...selected, ...others];
}

async function changedSince(base: string, cwd: string) {
  const commands = [
    ["diff", "--name-only", "--no-renames", "--relative", base],
    ["ls-files", "--others", "--exclude-standard"],
  ];
  const outputs = await Promise.all(commands.map((args) => git("git", args, { cwd, maxBuffer: OUTPUT_BYTES_MAX })));
  return outputs.flatMap(({ stdout }) => stdout.split("\n").filter(Boolean));
}

async function baseOf(cwd: string) {
  for (const main of MAINS) {
    const found = await run("git", ["merge-base", main, "HEAD"], { cwd });
    if (found.ok) return found.output.trim();
  }
  return "HEAD"; // What is not committed yet.
}
