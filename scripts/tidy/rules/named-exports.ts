// Exports are named, so that each thing has one name everywhere. Tools that require a default export get one.

import { findInCode, sourcesIn, type Finding, type Tree } from "../read-tree.ts";

/** Loaded by vitest. */
const FOR_TOOLS = ["scripts/check/failures-reporter.ts"];

export function namedExports(tree: Tree): Finding[] {
  const files = sourcesIn(tree, ["libs", "apps", "clients", "scripts", "test"]);
  return files
    .filter(({ path }) => !FOR_TOOLS.includes(path))
    .flatMap((file) =>
      findInCode(file, /^export default\b|^export \{[^}]*\bas default\b/gm, () => ({
        rule: "named-exports",
        message: "exports a default: give it its name",
      })),
    );
}
