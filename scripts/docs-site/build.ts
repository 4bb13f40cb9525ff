// Builds the documentation site into the folder in its only argument, with the packages in docs-site/node_modules. The
// pages are those that the API serves (apps/api/docs-files.ts): laid out in another folder with the repository's paths,
// so that their links are resolved as in the repository.
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { root } from "../paths.js";
import { compressFiles } from "../system/compress-files.ts";
import { siteOf } from "./site-of.ts";

const [outDir] = process.argv.slice(2);
if (!outDir) throw new Error("usage: node scripts/docs-site/build.ts FOLDER");

/** What the site has beside the files of the documentation. */
const OWN = /^(?:docs-site|public)\b/;

// It may run beside a service that has just started.
setPriority(constants.priority.PRIORITY_LOW);

const site = join(root, "docs-site");
/** Below the packages, which compiled pages import. */
const stage = join(site, ".temp");
rmSync(stage, { recursive: true, force: true });
try {
  node([join(root, "apps", "api", "copy-docs-files.ts"), stage]);
  cpSync(join(site, "pages"), join(stage, "docs-site", "pages"), { recursive: true });
  cpSync(join(root, "apps", "dashboard", "web", "public", "icon.svg"), join(stage, "public", "icon.svg"));
  copySwaggerUi(join(stage, "public", "assets"));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const files = readdirSync(stage, { recursive: true, encoding: "utf8" }).filter((file) => !OWN.test(file));
  const read = (file: string) => readFileSync(join(stage, file), "utf8");
  writeFileSync(join(stage, "site.json"), JSON.stringify({ version, ...siteOf(files, read) }));
  node([join(site, "node_modules", "vitepress", "bin", "vitepress.js"), "build", site, "--outDir", outDir]);
  compressFiles(outDir);
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** As it is: bundled, its style sheet would be one of every page. The site's theme names these files, too. */
function copySwaggerUi(folder: string) {
  const swagger = join(site, "node_modules", "swagger-ui-dist");
  const { version } = JSON.parse(readFileSync(join(swagger, "package.json"), "utf8"));
  cpSync(join(swagger, "swagger-ui-bundle.js"), join(folder, `swagger-ui-${version}.js`));
  cpSync(join(swagger, "swagger-ui.css"), join(folder, `swagger-ui-${version}.css`));
}

function node(args: string[]) {
  const { status } = spawnSync(process.execPath, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DOCS_STAGE: stage },
  });
  if (status !== 0) throw new Error(`${args[0]} exits with code ${status}`);
}
