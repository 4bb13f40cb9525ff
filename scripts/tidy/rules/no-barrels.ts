// An import names the file that defines the thing: there are no index files and no re-exports.

import { findInCode, sourcesIn, type Finding, type Tree } from "../read-tree.ts";

export function noBarrels(tree: Tree): Finding[] {
  return sourcesIn(tree, ["libs", "apps", "scripts", "test", "bench"]).flatMap((file) => {
    if (/(?:^|\/)index\.(?:ts|js)$/.test(file.path)) {
      return [{ rule: "no-barrels", file: file.path, message: "is an index file: name it after what it holds" }];
    }
    return findInCode(file, /^export (?:type )?(?:\*(?: as \w+)?|\{[^}]*\}) from ["']/gm, () => ({
      rule: "no-barrels",
      message: "passes on what another file exports: import it from there",
    }));
  });
}
