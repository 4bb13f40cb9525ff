// The package as `npm ci && npm pack` makes it, built once for all test files and again when its sources change. It is
// built in a copy: the checkout's own clients/typescript stays as it is.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheDir, root } from "../../../scripts/paths.js";
import { withLock } from "../../../scripts/system/lock.js";
import { run } from "../../../scripts/system/run.js";
import { npm } from "./npm.ts";

const SOURCE = join(root, "clients", "typescript");
const PARTS = [
  "LICENSE",
  "README.md",
  "package-lock.json",
  "package.json",
  ".npmrc",
  "scripts",
  "src",
  "tsconfig.json",
];
const BUILDS = join(cacheDir, "clients", "typescript");

/** `folder`: what a dependent finds in node_modules/@clanxp/client. */
export type PackedClient = { tarball: string; folder: string };

export async function packedClient(): Promise<PackedClient> {
  mkdirSync(BUILDS, { recursive: true });
  return withLock(
    join(BUILDS, "lock"),
    () => {},
    async () => {
      const dest = join(BUILDS, digest());
      if (!existsSync(dest)) await build(dest);
      const tarball = readdirSync(dest).find((name) => name.endsWith(".tgz")) ?? "";
      return { tarball: join(dest, tarball), folder: join(dest, "package") };
    },
  );
}

function digest(): string {
  const hash = createHash("sha256");
  for (const part of PARTS) {
    const path = join(SOURCE, part);
    const files = /\./.test(part) || part === "LICENSE" ? [path] : readdirSync(path).map((name) => join(path, name));
    for (const file of files) hash.update(file).update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}

async function build(dest: string): Promise<void> {
  for (const old of readdirSync(BUILDS))
    if (old !== "lock") rmSync(join(BUILDS, old), { recursive: true, force: true });
  const work = join(BUILDS, "part");
  for (const part of PARTS) cpSync(join(SOURCE, part), join(work, part), { recursive: true });
  await npm(["ci", "--no-audit", "--no-fund"], work);
  await npm(["pack"], work);
  const tarball = readdirSync(work).find((name) => name.endsWith(".tgz")) ?? "";
  const unpacked = await run("tar", ["-xzf", tarball], { cwd: work });
  if (!unpacked.ok) throw new Error(unpacked.reason);
  rmSync(join(work, "node_modules"), { recursive: true });
  renameSync(work, dest);
}
