// A file begins with a comment that states its purpose. Tests state it by their names.

import { sourcesIn, type Finding, type Tree } from "../read-tree.ts";

export function firstLine(tree: Tree): Finding[] {
  return sourcesIn(tree, ["libs", "apps", "clients", "scripts", "test", "bench"])
    .filter(({ path }) => !path.endsWith(".test.ts"))
    .filter(({ lines }) => !/^\/\/ \S/.test((lines[0]?.startsWith("#!") ? lines[1] : lines[0]) ?? ""))
    .map(({ path }) => ({
      rule: "first-line",
      file: path,
      line: 1,
      message: "does not begin with a comment: its job and what must hold",
    }));
}
