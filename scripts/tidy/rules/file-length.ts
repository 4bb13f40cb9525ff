// A file is short enough to be read in one sitting.

import { sourcesIn, type Finding, type Tree } from "../read-tree.ts";

const LINES_MAX = 300;

export function fileLength(tree: Tree): Finding[] {
  return sourcesIn(tree, ["libs", "apps", "clients", "scripts", "test"]).flatMap(({ path, lines }) => {
    const count = lines.length - 1;
    if (count <= LINES_MAX) return [];
    return [{ rule: "file-length", file: path, message: `has ${count} lines, over ${LINES_MAX}: split it` }];
  });
}
