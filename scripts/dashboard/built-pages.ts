// The built pages of the dashboard.

import { join } from "node:path";
import { root } from "../paths.js";
import { buildFolder } from "../system/built-folder.ts";
import { withProgress } from "../system/progress.js";
import { run } from "../system/run.js";

const BUILD_TIMEOUT_MS = 5 * 60_000;
/** All sources of the pages. */
const SOURCES = [
  "apps/dashboard/web",
  "libs/contract",
  "libs/domain",
  "scripts/dashboard/build.ts",
  "scripts/system/compress-files.ts",
  "package-lock.json",
];

export async function buildPages(log: (line: string) => void) {
  await buildFolder({
    name: "dashboard",
    place: join(root, "apps", "dashboard", "dist"),
    sources: SOURCES,
    log,
    async build(folder) {
      const building = run(process.execPath, [join(root, "scripts", "dashboard", "build.ts"), folder], {
        cwd: root,
        timeoutMs: BUILD_TIMEOUT_MS,
      });
      const ended = await withProgress(log, "building the pages of the dashboard", building);
      if (!ended.ok)
        throw new Error(
          `The pages of the dashboard could not be built: ${ended.reason}\n${ended.output.slice(-2_000)}`,
        );
    },
  });
}
