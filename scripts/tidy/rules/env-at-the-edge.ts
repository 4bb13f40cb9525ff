// The environment is read only in the file that starts a process, and passed on as values, so that tests pass other
// values.

import { findInCode, sourcesIn, type Finding, type Tree } from "../read-tree.ts";

const ENTRIES = /^apps\/(?:[a-z-]+\/main|cli\/(?:seed-demo|demo-link))\.ts$/;

export function envAtTheEdge(tree: Tree): Finding[] {
  return (
    sourcesIn(tree, ["libs", "apps"])
      // Browsers have none; its examples name that of the reader's own program.
      .filter(({ path }) => !path.startsWith("apps/dashboard/web/"))
      .filter(({ path }) => !ENTRIES.test(path))
      .flatMap((file) =>
        findInCode(file, /\bprocess\.env\b/g, () => ({
          rule: "env-at-the-edge",
          message: "reads the environment: take the value as an argument",
        })),
      )
  );
}
