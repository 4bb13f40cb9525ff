// Prints findings for people: one block per rule, one line per finding.

import type { Finding } from "./read-tree.ts";

export function report(findings: Finding[], counts: { rules: number; files: number }) {
  if (findings.length === 0) return `${counts.rules} rules hold in ${counts.files} files`;
  const blocks = [...new Set(findings.map(({ rule }) => rule))].map((rule) => {
    const lines = findings.filter((finding) => finding.rule === rule).map(lineOf);
    return [rule, ...lines].join("\n");
  });
  return blocks.join("\n\n");
}

function lineOf({ file, line, message }: Finding) {
  return `  ${file}${line === undefined ? "" : `:${line}`}  ${message}`;
}
