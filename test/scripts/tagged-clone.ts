// A clone with tags: one of the service and one of each client, each with its own version. Its working tree has changes
// that are in no commit. It has what the tested parts of a release are made from.
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileOf, packageNames, type PackageName } from "../../scripts/release/packages.ts";
import { setVersion } from "../../scripts/release/set-version.ts";
import { copyCheckout } from "../support/copy-checkout.ts";

const OWN = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"];
export const VERSIONS: Readonly<Record<PackageName, string>> = { service: "9.0.0", luau: "9.1.0", typescript: "9.2.0" };
const FILES = ["clients", "deploy/helm", "docs/how-to", "CHANGELOG.md", "Dockerfile", "package*.json", ".npmrc"];
/** At the same commit, of a version that it does not have. */
export const WRONG_TAG = "v9.9.9";

export async function makeTaggedClone(folder: string): Promise<(...args: string[]) => string> {
  const git = (...args: string[]): string => execFileSync("git", [...OWN, ...args], { cwd: folder, encoding: "utf8" });
  await copyCheckout(folder, FILES);
  for (const name of packageNames) {
    withUnreleased(folder, name);
    setVersion({ root: folder, name, version: VERSIONS[name], today: "2026-11-26" });
  }
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Release");
  for (const tag of [`v${VERSIONS.service}`, `luau-v${VERSIONS.luau}`, `typescript-v${VERSIONS.typescript}`, WRONG_TAG])
    git("tag", tag);
  for (const file of ["clients/luau/src/init.luau", "clients/typescript/src/index.ts", "CHANGELOG.md"])
    appendFileSync(join(folder, file), "uncommitted");
  writeFileSync(join(folder, "clients/luau/src/private.luau"), "uncommitted");
  return git;
}

/** There are unreleased changes, as a release requires. Right after a release, the changelog has none. */
export function withUnreleased(folder: string, name: PackageName): void {
  const file = join(folder, fileOf(name, "CHANGELOG.md"));
  const heading = "\n## Unreleased\n";
  writeFileSync(file, readFileSync(file, "utf8").replace(heading, `${heading}\n- A change of this test.\n`));
}
