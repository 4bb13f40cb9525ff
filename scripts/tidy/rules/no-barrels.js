// An import names the file that holds the thing: no index files, nothing passed on.

import { findInCode, sourcesIn } from "../read-tree.js";

/** @type {import("../read-tree.js").Rule} */
export function noBarrels(tree) {
  return sourcesIn(tree, ["libs", "apps", "scripts", "test"]).flatMap((file) => {
    if (/(?:^|\/)index\.(?:ts|js)$/.test(file.path)) {
      return [{ rule: "no-barrels", file: file.path, message: "is an index file: name it after what it holds" }];
    }
    return findInCode(file, /^export (?:type )?(?:\*(?: as \w+)?|\{[^}]*\}) from ["']/gm, () => ({
      rule: "no-barrels",
      message: "passes on what another file exports: import it from there",
    }));
  });
}
