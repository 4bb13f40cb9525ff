// A file is short enough to be read in one sitting.

import { sourcesIn, type File, type Finding, type Tree } from "../read-tree.ts";

const LINES_MAX = 300;
/** Everybody who changes the code reads this page first. */
const OVERVIEW = "ARCHITECTURE.md";
const OVERVIEW_LINES_MAX = 150;

export function fileLength(tree: Tree): Finding[] {
  const overview = tree.files.filter(({ path }) => path === OVERVIEW);
  return [
    ...overview.flatMap((file) => longer(file, OVERVIEW_LINES_MAX)),
    ...sourcesIn(tree, ["libs", "apps", "clients", "scripts", "test"]).flatMap((file) => longer(file, LINES_MAX)),
  ];
}

function longer({ path, lines }: File, linesMax: number): Finding[] {
  const count = lines.length - 1;
  if (count <= linesMax) return [];
  return [{ rule: "file-length", file: path, message: `has ${count} lines, over ${linesMax}: split it` }];
}
