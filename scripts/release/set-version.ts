// Gives a package its next version: in its manifests, where pages name it, and as a heading of its changelog. All files
// are read and checked before the first one is written.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { releaseIn, unreleasedIn, withRelease } from "./changelog.ts";
import { fileOf, packageNames, packages, versionsOf } from "./packages.ts";

/** Returns the files that were changed, relative to the root. `today` is YYYY-MM-DD. */
export function setVersion({
  root,
  name: asked,
  version,
  today,
}: {
  root: string;
  name: string;
  version: string;
  today: string;
}): string[] {
  const name = packageNames.find((each) => each === asked);
  if (name === undefined) throw new Error(`There is no package "${asked}". Choose one of: ${packageNames.join(", ")}.`);
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version))
    throw new Error(`"${version}" is not a version such as 1.2.3.`);
  const read = (file: string) => readFileSync(join(root, file), "utf8");

  for (const { file, version: current } of versionsOf(name, read))
    if (isLower(version, current)) throw new Error(`${version} is lower than ${current}, the version in ${file}.`);
  const changelog = fileOf(name, "CHANGELOG.md");
  const changes = read(changelog);
  if (releaseIn(changes, version) !== undefined) throw new Error(`${changelog} already has a section for ${version}.`);
  if (unreleasedIn(changes) === "")
    throw new Error(`${changelog} says nothing under "Unreleased". Describe what changed first.`);

  const changed = Object.entries<RegExp>(packages[name].places).map(([own, place]) => {
    const file = fileOf(name, own);
    return { file, text: read(file).replace(place, (_, before: string) => before + version) };
  });
  changed.push({ file: changelog, text: withRelease(changes, version, today) });
  for (const { file, text } of changed) writeFileSync(join(root, file), text);
  return changed.map(({ file }) => file);
}

function isLower(version: string, than: string) {
  const [left, right] = [version, than].map((text) => text.split(".").map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
