// A fresh clone on a machine without Node 24: only the repository exists, and one command installs the rest.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { copyCheckout } from "../support/copy-checkout.ts";
import { award, dataFolder, newcomersPath, npmStart } from "../support/npm-start.ts";
import { tempDir } from "../support/temp-dir.ts";
import { root } from "../../scripts/paths.js";

const call = promisify(execFile);
vi.setConfig({ testTimeout: 300_000 });

async function freshClone(): Promise<string> {
  const clone = join(tempDir(), "clan xp");
  await copyCheckout(clone);
  // The servers were fetched for this test run already; set-up is what is tried here.
  const servers = join(root, ".cache", "servers");
  mkdirSync(join(clone, ".cache"));
  if (existsSync(servers)) symlinkSync(servers, join(clone, ".cache", "servers"));
  return clone;
}

test.skipIf(process.platform !== "linux")(
  "two concurrent first commands of a fresh clone succeed, and it serves requests",
  async () => {
    const clone = await freshClone();
    // What it compiles stays in its own cache, which goes with it.
    const env = { ...process.env, PATH: newcomersPath, NODE_COMPILE_CACHE: undefined };
    const [, help] = await Promise.all([
      call("npm", ["run", "setup"], { cwd: clone, env }),
      call("npx", ["clanxp", "--help"], { cwd: clone, env }),
    ]);
    expect(help.stdout).toMatch(/^Usage: clanxp/); // and no word of the set-up before it

    const again = await call("npm", ["run", "setup"], { cwd: clone, env });
    expect(again.stderr).not.toMatch(/fetching|installing/);

    const dataDir = dataFolder();
    await npmStart(dataDir, env, clone).ready();
    expect(await award(dataDir, "player-1", 1)).toEqual({ status: 200, xp: "1" });
  },
);
