// `node scripts/tidy.js [--json] [folder]`: checks the rules of this repository (CONTRIBUTING.md) that no other tool
// checks. Exits with code 0 without findings, 1 with findings, and 2 after invalid usage.
import { root } from "../paths.js";
import { readTree, type Finding } from "./read-tree.ts";
import { rules } from "./rules.ts";

const args = process.argv.slice(2);
const options = args.filter((arg) => arg.startsWith("-"));
const folders = args.filter((arg) => !arg.startsWith("-"));

if (options.some((option) => option !== "--json") || folders.length > 1) {
  console.error("usage: node scripts/tidy.js [--json] [folder]");
  process.exitCode = 2;
} else {
  const tree = readTree(folders[0] ?? root);
  const findings = Object.values(rules).flatMap((rule) => rule(tree));
  if (options.length > 0) console.log(JSON.stringify(findings, undefined, 2));
  else console.log(report(findings, { rules: Object.keys(rules).length, files: tree.files.length }));
  process.exitCode = findings.length === 0 ? 0 : 1;
}

/** For people: one block per rule, one line per finding. */
function report(findings: Finding[], counts: { rules: number; files: number }) {
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
