// Everybody who changes the code reads the overview first, so it stays short. Words, not lines: its lines end where
// sentences do.

import type { Finding, Tree } from "../read-tree.ts";

const OVERVIEW = "ARCHITECTURE.md";
const WORDS_MAX = 2600;

export function overviewLength(tree: Tree): Finding[] {
  const count = tree.file(OVERVIEW)?.text.trim().split(/\s+/).length ?? 0;
  if (count <= WORDS_MAX) return [];
  const message = `has ${count} words, over ${WORDS_MAX}: describe parts, not their details`;
  return [{ rule: "overview-length", file: OVERVIEW, message }];
}
