// The files of a tag, as git stores them, in a new folder: nothing that lies in the working tree gets into a
// release. The repository itself is only read.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "../system/run.js";
import { runOrThrow } from "./run-or-throw.ts";

export type Checkout = {
  /** The folder with the files. */
  source: string;
  gitDir: string;
  commit: string;
  /** When it was committed, in seconds since 1970: the time of everything in a release. */
  committedAt: number;
};

/** `source` is an existing, empty folder. */
export async function checkOut({
  root,
  tag,
  source,
}: {
  root: string;
  tag: string;
  source: string;
}): Promise<Checkout> {
  const found = await run("git", ["rev-parse", "--verify", "--quiet", `refs/tags/${tag}^{commit}`], { cwd: root });
  if (!found.ok) throw new Error(`There is no tag "${tag}" in ${root}.`);
  const commit = found.output.trim();
  const archive = join(source, "source.tar");
  await must("git", ["archive", "--format=tar", `--output=${archive}`, commit], root);
  await must("tar", ["-xf", archive, "-C", source], root);
  rmSync(archive);
  return {
    source,
    gitDir: await must("git", ["rev-parse", "--absolute-git-dir"], root),
    commit,
    committedAt: Number(await must("git", ["show", "--no-patch", "--format=%ct", commit], root)),
  };
}

async function must(command: string, args: string[], cwd: string) {
  return (await runOrThrow(`${command} ${args[0]} failed`, command, args, { cwd })).trim();
}
