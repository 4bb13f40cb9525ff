// What the numbers were measured on: a ratio without it cannot be judged.
import { execFileSync } from "node:child_process";
import { arch, cpus, loadavg, release, totalmem, type } from "node:os";
import { root } from "../scripts/paths.js";

export type Machine = {
  at: string;
  commit: string;
  cpus: number;
  model: string;
  memoryGib: number;
  kernel: string;
  /** Processes that wanted a core in the minute before: more than a few tenths, and the machine was not quiet. */
  loadBefore: number;
  versions: Record<string, string | null>;
};

export function describeMachine(servers: Record<string, string | null>): Machine {
  const [first] = cpus();
  return {
    at: new Date().toISOString(),
    commit: commitOf(),
    cpus: cpus().length,
    model: first?.model.trim() ?? "unknown",
    memoryGib: Math.round(totalmem() / 2 ** 30),
    kernel: `${type()} ${release()} ${arch()}`,
    loadBefore: loadavg()[0] ?? 0,
    versions: { node: process.versions.node, ...servers },
  };
}

/** With a "+" where files differ from the commit. */
function commitOf(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    return git("rev-parse", "--short=12", "HEAD") + (git("status", "--porcelain") === "" ? "" : "+");
  } catch {
    return "unknown";
  }
}
