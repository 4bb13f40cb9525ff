// `npm test -- --changed`: the tests that a change concerns. A change is what this branch has added to main, committed
// or not.

import { run } from "../system/run.js";

/** The first that exists: what the branch will be merged into. */
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
