// Gives a client package its next version: in its manifests, where its pages name it, and as a heading of its
// changelog. All files are read and checked before the first one is written.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The place of a version, by file: the first group is unchanged, the second is the version. */
const PLACES = {
  luau: {
    "wally.toml": /^(version = ")([^"]+)/m,
    "README.md": /(clanxp\/clanxp@)(\d+\.\d+\.\d+)/,
  },
  typescript: {
    "package.json": /^( {2}"version": ")([^"]+)/m,
    "package-lock.json": /(^\{\n {2}"name": "@clanxp\/client",\n {2}"version": ")([^"]+)/,
  },
};
export const packages = Object.keys(PLACES);

/** Returns the files that were changed, relative to the root. `today` is YYYY-MM-DD. */
export function setVersion({
  root,
  name,
  version,
  today,
}: {
  root: string;
  name: string;
  version: string;
  today: string;
}): string[] {
  const places = Object.entries(PLACES).find(([each]) => each === name)?.[1];
  if (places === undefined) throw new Error(`There is no package "${name}". Choose one of: ${packages.join(", ")}.`);
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version))
    throw new Error(`"${version}" is not a version such as 1.2.3.`);
  const folder = `clients/${name}`;
  const read = (file: string) => readFileSync(join(root, folder, file), "utf8");

  const changed = Object.entries(places).map(([file, place]) => {
    const text = read(file);
    const current = place.exec(text)?.[2];
    if (current === undefined) throw new Error(`${folder}/${file} does not contain a version in the expected place.`);
    if (isLower(version, current))
      throw new Error(`${version} is lower than ${current}, the version in ${folder}/${file}.`);
    return { file, text: text.replace(place, `$1${version}`) };
  });
  changed.push({
    file: "CHANGELOG.md",
    text: withRelease(read("CHANGELOG.md"), `${folder}/CHANGELOG.md`, version, today),
  });

  for (const { file, text } of changed) writeFileSync(join(root, folder, file), text);
  return changed.map(({ file }) => `${folder}/${file}`);
}

function withRelease(changelog: string, path: string, version: string, today: string) {
  if (changelog.includes(`\n## ${version} `)) throw new Error(`${path} already has a section for ${version}.`);
  const unreleased = /\n## Unreleased\n([\s\S]*?)(?=\n## |$(?![\s\S]))/.exec(changelog)?.[1] ?? "";
  if (unreleased.trim() === "")
    throw new Error(`${path} says nothing under "Unreleased". Describe what changed first.`);
  return changelog.replace("\n## Unreleased\n", `\n## Unreleased\n\n## ${version} (${today})\n`);
}

function isLower(version: string, than: string) {
  const [left, right] = [version, than].map((text) => text.split(".").map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
