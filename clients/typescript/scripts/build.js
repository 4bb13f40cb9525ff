// Builds dist: one minified file for ES modules, one for CommonJS, and the declarations for each. Everything in dist is
// made anew.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");
const IMPORT = /(from |import\()"\.\/([a-z-]+)\.ts"/g;
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");

rmSync(dist, { recursive: true, force: true });
execFileSync(process.execPath, [tsc, "--project", root], { stdio: "inherit" });
const declared = reachable("index.d.ts");
for (const name of readdirSync(dist)) {
  const declarations = readFileSync(join(dist, name), "utf8");
  rmSync(join(dist, name));
  if (!declared.has(name)) continue;
  writeFileSync(join(dist, name), declarations.replaceAll(IMPORT, '$1"./$2.js"'));
  // The same module again for require(): a declaration belongs to the kind of module that its extension says.
  writeFileSync(join(dist, name.replace(/\.d\.ts$/, ".d.cts")), declarations.replaceAll(IMPORT, '$1"./$2.cjs"'));
}

/** @type {import("esbuild").BuildOptions} */
const options = {
  absWorkingDir: root,
  platform: "node",
  target: "es2022",
  bundle: true,
  minify: true,
  sourcemap: true,
  logLevel: "warning",
};
const { metafile } = await build({
  ...options,
  entryPoints: ["src/index.ts"],
  outfile: "dist/index.js",
  format: "esm",
  metafile: true,
});
// Assigned by name: Node finds the names, and what esbuild adds to translate exports is not needed.
const names = metafile.outputs["dist/index.js"]?.exports ?? [];
const contents = `import * as all from "./index.ts";\n${names.map((name) => `exports.${name} = all.${name};`).join("\n")}`;
await build({
  ...options,
  stdin: { contents, resolveDir: join(root, "src"), sourcefile: "src/index.cjs" },
  outfile: "dist/index.cjs",
  format: "cjs",
  banner: { js: '"use strict";' },
});

/**
 * This declaration file and all that it imports.
 * @param {string} name
 * @param {Set<string>} found
 */
function reachable(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, , neighbour] of readFileSync(join(dist, name), "utf8").matchAll(IMPORT))
    reachable(`${neighbour}.d.ts`, found);
  return found;
}
