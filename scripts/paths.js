// Where this checkout keeps things. Everything fetched lies in the cache folder: deleting it is always safe.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const cacheDir = join(root, ".cache");
/**
 * What Node compiled, by file, version and user: Node checks each entry against its source and writes what is missing.
 */
export const compiledDir = join(cacheDir, "compiled");
