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

for (const [format, outfile] of /** @type {const} */ ([
  ["esm", "index.js"],
  ["cjs", "index.cjs"],
])) {
  await build({
    entryPoints: [join(root, "src", "index.ts")],
    outfile: join(dist, outfile),
    format,
    platform: "node",
    target: "es2022",
    bundle: true,
    minify: true,
    sourcemap: true,
    logLevel: "warning",
  });
}

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
