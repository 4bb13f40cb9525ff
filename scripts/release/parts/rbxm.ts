// The Roblox client as a file that Studio inserts, made by Rojo.

import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../system/run.js";
import type { Tool } from "../../tools/list.ts";
import type { Part } from "../part.ts";
import { runOrThrow } from "../run-or-throw.ts";

const ROJO_VERSION = "7.7.1";
/** Hundreds of crates, which took 22 minutes on two busy cores. */
const BUILD_TIMEOUT_MS = 30 * 60_000;

/** Only a release needs it, so `npm run setup:tools` does not build it. */
export const rojo: Tool = {
  folder: `rojo-${ROJO_VERSION}`,
  program: (dir) => join(dir, "bin", "rojo"),
  check: ["--version"],
  fill: async (dir) => {
    const target = mkdtempSync(join(dir, "target-"));
    const args = ["install", `rojo@${ROJO_VERSION}`, "--locked", "--root", dir, "--target-dir", target];
    const ended = await run("cargo", args, { cwd: dir, timeoutMs: BUILD_TIMEOUT_MS });
    rmSync(target, { recursive: true, force: true });
    return ended.ok ? undefined : { reason: ended.reason };
  },
};

export const rbxm: Part = {
  of: "luau",
  async make({ source, out, versions, tool }) {
    const found = await tool(rojo);
    if ("reason" in found) return { missing: `Rojo cannot be had: ${found.reason}` };
    const file = `ClanXP-${versions.luau}.rbxm`;
    const args = ["build", join(source, "clients/luau"), "--output", join(out, file)];
    await runOrThrow("rojo build", found.value.path, args);
    return { files: [file] };
  },
};
