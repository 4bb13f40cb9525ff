// What the packed client is tried with, fetched at the hashes of tools/package-lock.json into the cache. Where it
// cannot be had, one line says so and its tests are skipped.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheDir, root } from "../../../scripts/paths.js";
import { withLock } from "../../../scripts/system/lock.js";
import { npm } from "./npm.ts";

/** 170 MB to fetch; more than this would hold the whole suite up. */
const FETCH_TIMEOUT_MS = 200_000;
const LIST = join(root, "test", "clients", "typescript", "tools");
const DEST = join(cacheDir, "clients", "tools");

/** The path of a file of one of the tools; null, and a line on standard output, where they cannot be had. */
export async function toolsOrNull(): Promise<((path: string) => string) | null> {
  const reason = await fetchTools();
  if (reason === null) return (path) => join(DEST, "node_modules", path);
  process.stdout.write(`skipped what tries the packed client in other runtimes and compilers (${reason})\n`);
  return null;
}

async function fetchTools(): Promise<string | null> {
  const platform = `${process.platform}-${process.arch}`;
  if (platform !== "linux-x64") return `its tools are those of linux-x64, and this is ${platform}`;
  const lock = readFileSync(join(LIST, "package-lock.json"), "utf8");
  return withLock(
    `${DEST}.lock`,
    () => {},
    async () => {
      const stamp = join(DEST, "package-lock.json");
      if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return null;
      const part = `${DEST}-part`;
      for (const folder of [part, DEST]) rmSync(folder, { recursive: true, force: true });
      mkdirSync(part, { recursive: true });
      for (const name of ["package.json", "package-lock.json", ".npmrc"]) {
        copyFileSync(join(name === ".npmrc" ? root : LIST, name), join(part, name));
      }
      try {
        await npm(["ci", "--no-audit", "--no-fund", "--engine-strict=false"], part, FETCH_TIMEOUT_MS);
      } catch (error) {
        return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
      }
      renameSync(part, DEST);
      return null;
    },
  );
}
