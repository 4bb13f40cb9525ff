// Another commit of this repository, ready to run: a clone with what its own lockfile names, kept by the commit's id.
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheDir, root } from "../../scripts/paths.js";
import { run } from "../../scripts/system/run.js";

/** The full id of a commit; null if the repository has none of this name. */
export async function resolveCommit(name: string): Promise<string | null> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const ended = await run("git", args, { cwd: root });
  return ended.ok ? ended.output.trim() : null;
}

/** The newest release that this commit contains, by its tag; null in a clone that has none. */
export async function lastRelease(): Promise<{ tag: string; commit: string } | null> {
  const ended = await run("git", ["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD"], { cwd: root });
  const tag = ended.output.trim();
  const commit = ended.ok ? await resolveCommit(tag) : null;
  return commit === null ? null : { tag, commit };
}

/** Answers the folder. `commit`: its full id. */
export async function checkOut(commit: string, log: (line: string) => void): Promise<string> {
  const folder = join(cacheDir, "against", commit);
  if (existsSync(folder)) return folder;
  // Under another name until it is complete.
  const draft = `${folder}.${process.pid}`;
  mkdirSync(join(draft, ".."), { recursive: true });
  rmSync(draft, { recursive: true, force: true });
  try {
    log(`cloning ${commit.slice(0, 12)}`);
    await orFail("git", ["clone", "--quiet", "--shared", "--no-checkout", root, draft], root);
    await orFail("git", ["checkout", "--quiet", "--detach", commit], draft);
    log(`installing what ${commit.slice(0, 12)} needs, once`);
    await orFail("npm", ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"], draft);
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

async function orFail(command: string, args: string[], cwd: string): Promise<void> {
  const ended = await run(command, args, { cwd });
  if (!ended.ok) throw new Error(`${command} ${args.join(" ")}: ${ended.reason}\n${ended.output}`);
}
