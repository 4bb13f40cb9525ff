// The built documentation site. Its packages are in docs-site, so that nobody installs them who does not build it.

import { join } from "node:path";
import { cacheDir, root } from "../paths.js";
import { installDependencies } from "../setup/dependencies.js";
import { findToolchain } from "../setup/toolchain.js";
import { buildFolder } from "../system/built-folder.ts";
import { withProgress } from "../system/progress.js";
import { run } from "../system/run.js";

const BUILD_TIMEOUT_MS = 10 * 60_000;
/** What pages link to outside these is served as it is. */
const SOURCES = [
  "docs",
  "docs-site",
  "clients",
  "scripts/docs-site",
  "scripts/system/compress-files.ts",
  "package.json",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
];

export const SITE_FOLDER = join(root, "docs-site", "dist");

/** Resolves with whether it had to be built. */
export function buildSite(log: (line: string) => void): Promise<boolean> {
  return buildFolder({
    name: "docs",
    place: SITE_FOLDER,
    sources: SOURCES,
    settings: process.env["DOCS_EDIT_URL"] ?? "",
    log,
    async build(folder) {
      const toolchain = await findToolchain({ cacheDir, log });
      const [site, parts] = [join(root, "docs-site"), join(cacheDir, "docs-site")];
      await installDependencies({ root: site, cacheDir: parts, toolchain, log });
      const building = run(process.execPath, [join(root, "scripts", "docs-site", "build.ts"), folder], {
        cwd: root,
        timeoutMs: BUILD_TIMEOUT_MS,
      });
      const ended = await withProgress(log, "building the documentation site", building);
      if (!ended.ok)
        throw new Error(`The documentation site could not be built: ${ended.reason}\n${ended.output.slice(-2_000)}`);
    },
  });
}
