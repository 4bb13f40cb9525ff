// The built pages of the dashboard. They are built if they are missing or older than their sources, in another folder
// that then replaces the old one.

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
import { join, relative } from "node:path";
import { cacheDir, root } from "../paths.js";
import { withLock } from "../system/lock.js";
import { withProgress } from "../system/progress.js";
import { run } from "../system/run.js";

const BUILD_TIMEOUT_MS = 5 * 60_000;
const PLACE = join(root, "apps", "dashboard", "dist");
const STAMP = "sources.sha256";
/** All sources of the pages. */
const SOURCES = [
  "apps/dashboard/web",
  "libs/contract",
  "libs/domain",
  "scripts/dashboard/build.ts",
  "package-lock.json",
];

export async function buildPages(log: (line: string) => void) {
  await withLock(join(cacheDir, "dashboard-build.lock"), log, async () => {
    const expected = digestOfSources();
    if (stampOf(PLACE) === expected) return;
    const part = mkdtempSync(join(cacheDir, "part-dashboard-"));
    try {
      const built = join(part, "dist");
      const building = run(process.execPath, [join(root, "scripts", "dashboard", "build.ts"), built], {
        cwd: root,
        timeoutMs: BUILD_TIMEOUT_MS,
      });
      const ended = await withProgress(log, "building the pages of the dashboard", building);
      if (!ended.ok)
        throw new Error(
          `The pages of the dashboard could not be built: ${ended.reason}\n${ended.output.slice(-2_000)}`,
        );
      writeFileSync(join(built, STAMP), expected);
      if (existsSync(PLACE)) renameSync(PLACE, join(part, "old"));
      renameSync(built, PLACE);
    } finally {
      rmSync(part, { recursive: true, force: true });
    }
  });
}

function stampOf(folder: string) {
  const file = join(folder, STAMP);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function digestOfSources() {
  mkdirSync(cacheDir, { recursive: true });
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap((source) => filesIn(join(root, source))).sort()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

function filesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => filesIn(join(path, entry.name)));
  } catch {
    return [path];
  }
}
