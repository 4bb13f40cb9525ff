// A rule of the linter is disabled with its reason, for the reader and for everyone who would remove the comment.

import { sourcesIn, type Finding, type Tree } from "../read-tree.ts";

/** A reason is long enough that it says something. */
const WITH_REASON = /oxlint-disable(?:-next-line|-line)? [\w/, -]+? -- .{20}/;

export function disableReasons(tree: Tree): Finding[] {
  return sourcesIn(tree, ["libs", "apps", "clients", "scripts", "test", "bench"]).flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => {
      if (!/^\s*\/[/*] (?:ox|es)lint-disable/.test(line) || WITH_REASON.test(line)) return [];
      const message = 'disables a rule without saying why: end it with " -- <reason>"';
      return [{ rule: "disable-reasons", file: path, line: index + 1, message }];
    }),
  );
}
