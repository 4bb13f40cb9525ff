// Copies the files that the documentation consists of into the folder in its only argument: the image contains no other
// file of tests, scripts and clients.
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { findDocsFiles, locate } from "./docs-files.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node apps/api/copy-docs-files.ts FOLDER");

for (const [file, { isFolder }] of findDocsFiles()) {
  if (isFolder) mkdirSync(join(folder, file), { recursive: true });
  else cpSync(locate(file), join(folder, file));
}
