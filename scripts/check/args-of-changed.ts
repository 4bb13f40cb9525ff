// `npm test -- --changed`: selects the tests for the changes of this branch since it left main, including uncommitted
// ones.

import { run } from "../system/run.js";

/** The first of these that exists is the branch to merge into. */
const MAINS = ["origin/main", "main"];

/** The arguments for vitest, which change only if `--changed` is among them, without a commit. `cwd` is a git checkout. */
export async function argsOfChanged(args: string[], cwd: string): Promise<string[]> {
  if (!args.includes("--changed")) return args;
  const base = await baseOf(cwd);
  return ["--changed", base, "--passWithNoTests", ...args.filter((arg) => arg !== "--changed")];
}

async function baseOf(cwd: string) {
  for (const main of MAINS) {
    const found = await run("git", ["merge-base", main, "HEAD"], { cwd });
    if (found.ok) return found.output.trim();
  }
  return "HEAD"; // What is not committed yet.
}
