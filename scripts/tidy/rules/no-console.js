// Processes log events through their log; only scripts, and what starts the tests, speak to a terminal directly.

import { findInCode, sourcesIn } from "../read-tree.js";

/** @type {import("../read-tree.js").Rule} */
export function noConsole(tree) {
  return sourcesIn(tree, ["libs", "apps", "test"])
    .filter(({ path }) => !path.startsWith("test/support/"))
    .flatMap((file) =>
      findInCode(file, /\bconsole\./g, () => ({ rule: "no-console", message: "writes to the console: use the log" })),
    );
}
