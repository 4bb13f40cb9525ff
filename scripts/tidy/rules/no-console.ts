// Processes log events through their log. Only scripts, and the set-up of the tests, write to a terminal directly.

import { findInCode, sourcesIn, type Finding, type Tree } from "../read-tree.ts";

export function noConsole(tree: Tree): Finding[] {
  return sourcesIn(tree, ["libs", "apps", "test"])
    .filter(({ path }) => !path.startsWith("test/support/"))
    .flatMap((file) =>
      findInCode(file, /\bconsole\./g, () => ({ rule: "no-console", message: "writes to the console: use the log" })),
    );
}
