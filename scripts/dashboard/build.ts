// Builds the pages of the dashboard into the folder in its only argument.

import { join } from "node:path";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { dashboardEndpoints } from "#contract/dashboard/endpoints.ts";
import { root } from "../paths.js";
import { compressFiles } from "../system/compress-files.ts";

const [outDir] = process.argv.slice(2);
if (!outDir) throw new Error("usage: node scripts/dashboard/build.ts FOLDER");

const paths = Object.fromEntries(
  Object.entries(dashboardEndpoints).map(([name, { method, path }]) => [name, [method, path]]),
);

/** What the first page needs, as one file. */
const START = { name: "start", tags: ["$initial" as const], priority: 1 };
/**
 * What several pages need: a file for each set of pages, and none for a kilobyte. By default, a page would be made of
 * up to 64 files instead of 39, in rounds of the six that a browser requests at a time.
 */
const SHARED = { name: "shared", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 1_000 };

// If the environment had another value, the build would contain React's development version and paths of this machine.
process.env["NODE_ENV"] = "production";
await build({
  root: join(root, "apps", "dashboard", "web"),
  configFile: false,
  logLevel: "warn",
  plugins: [react(), tailwind()],
  define: { ENDPOINT_PATHS: JSON.stringify(paths) },
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2023",
    // Inlined files would be data: URLs, which the Content-Security-Policy rejects.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [START, SHARED] } } },
  },
});
compressFiles(outDir);
