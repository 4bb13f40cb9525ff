// A file is read in one sitting.

import { sourcesIn } from "../read-tree.js";

const LINES_MAX = 300;

/** @type {import("../read-tree.js").Rule} */
export function fileLength(tree) {
  return sourcesIn(tree, ["libs", "apps", "clients", "scripts", "test"])
    .map((file) => ({ file: file.path, lines: file.lines.length - 1 }))
    .filter(({ lines }) => lines > LINES_MAX)
    .map(({ file, lines }) => ({
      rule: "file-length",
      file,
      message: `has ${lines} lines, over ${LINES_MAX}: split it`,
    }));
}
