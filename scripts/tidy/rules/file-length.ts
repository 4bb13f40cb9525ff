// A file is short enough to be read at once.

import { sourcesIn, type Finding, type Tree } from "../read-tree.ts";

const LINES_MAX = 300;

export function fileLength(tree: Tree): Finding[] {
  return sourcesIn(tree, ["libs", "apps", "clients", "scripts", "test"])
    .map((file) => ({ file: file.path, lines: file.lines.length - 1 }))
    .filter(({ lines }) => lines > LINES_MAX)
    .map(({ file, lines }) => ({
      rule: "file-length",
      file,
      message: `has ${lines} lines, over ${LINES_MAX}: split it`,
    }));
}
