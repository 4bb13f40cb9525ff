// What keeps a commit from being released: a version that differs between two places, or a changelog that does not
// describe it.

import { releaseIn, unreleasedIn } from "./changelog.ts";
import { fileOf, versionsOf, type PackageName } from "./packages.ts";

/** One sentence for each fault of a package that is to have this version. */
export function faultsOf(name: PackageName, version: string, read: (file: string) => string): string[] {
  const others = versionsOf(name, read).filter((each) => each.version !== version);
  const changelog = fileOf(name, "CHANGELOG.md");
  const changes = read(changelog);
  return [
    ...new Set(others.map((other) => `${other.file} has the version ${other.version}, not ${version}.`)),
    ...(releaseIn(changes, version) === undefined ? [`${changelog} has no section for ${version}.`] : []),
    ...(unreleasedIn(changes) === "" ? [] : [`${changelog} has changes under "Unreleased".`]),
  ];
}
