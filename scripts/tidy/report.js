// Findings for people: one block a rule, one line a finding.

/**
 * @param {import("./read-tree.js").Finding[]} findings
 * @param {{ rules: number, files: number }} counts
 */
export function report(findings, counts) {
  if (findings.length === 0) return `${counts.rules} rules hold in ${counts.files} files`;
  const blocks = [...new Set(findings.map(({ rule }) => rule))].map((rule) => {
    const lines = findings.filter((finding) => finding.rule === rule).map(lineOf);
    return [rule, ...lines].join("\n");
  });
  return blocks.join("\n\n");
}

/** @param {import("./read-tree.js").Finding} finding */
function lineOf({ file, line, message }) {
  return `  ${file}${line === undefined ? "" : `:${line}`}  ${message}`;
}
