// Decisions are numbered 0001, 0002, … in the order in which they were taken, without duplicates or gaps.

import type { Finding, Tree } from "../read-tree.ts";

export function decisionNumbers(tree: Tree): Finding[] {
  const decisions = tree.files.filter(
    ({ path }) => path.startsWith("docs/decisions/") && path !== "docs/decisions/README.md",
  );
  return decisions.flatMap(({ path }, index) => {
    const name = path.replace("docs/decisions/", "");
    const number = String(index + 1).padStart(4, "0");
    if (!/^\d{4}-[a-z0-9-]+\.md$/.test(name))
      return [{ rule: "decision-numbers", file: path, message: "is not named NNNN-title.md" }];
    if (name.startsWith(`${number}-`)) return [];
    return [
      {
        rule: "decision-numbers",
        file: path,
        message: `should be number ${number}: one before it is missing or there twice`,
      },
    ];
  });
}
