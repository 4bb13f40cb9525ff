// The folders of this checkout. All downloads are in the cache folder, and deleting it is always safe.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const cacheDir = join(root, ".cache");
/** Node's compile cache, by file, version and user: Node checks each entry against its source and adds missing ones. */
export const compiledDir = join(cacheDir, "compiled");
