// A line of source is short enough to show two files side by side. Quoted text may be longer, because a message that is
// split into parts cannot be found by searching for it.

import { sourcesIn, type Finding, type Tree } from "../read-tree.ts";

const COLUMNS_MAX = 120;
const QUOTED = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/(?:\\.|[^/\\\s])+\//g;
/** Types in comments of JavaScript cannot be broken everywhere. */
const TYPE_IN_COMMENT = /@\w+ \{.*\}|^\s*\* @typedef/;
/** Written by a script, for compilers. */
const GENERATED = new Set(["clients/typescript/src/wire.ts"]);

export function lineWidth(tree: Tree): Finding[] {
  return sourcesIn(tree, ["libs", "apps", "clients", "scripts", "test"])
    .filter(({ path }) => !GENERATED.has(path))
    .flatMap((file) =>
      file.lines.flatMap((line, index) => {
        const isShort =
          line.length <= COLUMNS_MAX || TYPE_IN_COMMENT.test(line) || line.replace(QUOTED, '""').length <= COLUMNS_MAX;
        if (isShort) return [];
        const message = `has ${line.length} columns, over ${COLUMNS_MAX}`;
        return [{ rule: "line-width", file: file.path, line: index + 1, message }];
      }),
    );
}
