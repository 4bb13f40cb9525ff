// A folder that is built from sources of this checkout: built if it is missing or older than they are, in another
// folder that then replaces the old one. A stamp inside records the sources.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative } from "node:path";
import { cacheDir, root } from "../paths.js";
import { withLock } from "./lock.js";

const STAMP = "sources.sha256";
/** Made from the sources. */
const SKIPPED = new Set(["node_modules", "dist", ".temp"]);

/**
 * Resolves with whether it had to be built. `sources`: files and folders, from the root, and `settings` that change the
 * result. `build`: fills the folder that it is given.
 */
export async function buildFolder({
  name,
  place,
  sources,
  settings = "",
  log,
  build,
}: {
  name: string;
  place: string;
  sources: readonly string[];
  settings?: string;
  log: (line: string) => void;
  build: (folder: string) => Promise<void>;
}): Promise<boolean> {
  return withLock(join(cacheDir, `${name}-build.lock`), log, async () => {
    const expected = digestOf(sources, settings);
    if (stampOf(place) === expected) return false;
    // Left by a build that was killed.
    for (const left of readdirSync(cacheDir))
      if (left.startsWith(`part-${name}-`)) rmSync(join(cacheDir, left), { recursive: true, force: true });
    const part = mkdtempSync(join(cacheDir, `part-${name}-`));
    try {
      const built = join(part, basename(place));
      await build(built);
      writeFileSync(join(built, STAMP), expected);
      if (existsSync(place)) renameSync(place, join(part, "old"));
      renameSync(built, place);
      return true;
    } finally {
      rmSync(part, { recursive: true, force: true });
    }
  });
}

function stampOf(folder: string) {
  const file = join(folder, STAMP);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function digestOf(sources: readonly string[], settings: string) {
  mkdirSync(cacheDir, { recursive: true });
  const hash = createHash("sha256").update(settings);
  for (const file of sources.flatMap((source) => filesIn(join(root, source))).sort()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

function filesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter(({ name }) => !SKIPPED.has(name))
      .flatMap((entry) => filesIn(join(path, entry.name)));
  } catch {
    return [path];
  }
}
