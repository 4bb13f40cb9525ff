// The Roblox client as Wally's archive: the files that its manifest includes. Git writes it, with the time of the
// commit and without compression, so that the archive of a tag always has the same bytes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../system/run.js";
import type { Part } from "../part.ts";
import { runOrThrow } from "../run-or-throw.ts";

export const wally: Part = {
  of: "luau",
  async make({ source, gitDir, commit, out, versions }) {
    const folder = join(source, "clients/luau");
    const [, list] = /^include = (\[.*\])$/m.exec(readFileSync(join(folder, "wally.toml"), "utf8")) ?? [];
    if (list === undefined) throw new Error("clients/luau/wally.toml does not list the files to include");
    const included: string[] = JSON.parse(list);
    const file = `clanxp-luau-${versions.luau}.zip`;
    // In a folder of the working tree, git archives this folder. Times in a ZIP file are local times.
    const own = ["--git-dir", gitDir, "--work-tree", source];
    const args = [...own, "archive", "--format=zip", "-0", `--output=${join(out, file)}`, commit, "--", ...included];
    await runOrThrow("git archive", "git", args, { cwd: folder, env: { TZ: "UTC" } });
    return { files: [file] };
  },
  async whyNotPublished() {
    const ended = await run("wally", ["--version"]);
    return ended.ok ? undefined : ended.reason;
  },
  async publish({ source, versions }) {
    await runOrThrow("wally publish", "wally", ["publish", "--project-path", join(source, "clients/luau")]);
    return `clanxp/clanxp@${versions.luau}`;
  },
};
