// If a decision supersedes another one or a part of it, the first paragraph of both says so. The index lists every
// decision, and which one supersedes it.

import { posix } from "node:path";
import type { File, Finding, Tree } from "../read-tree.ts";

const RULE = "decision-status";
const FOLDER = "docs/decisions/";
const INDEX = `${FOLDER}README.md`;

export function decisionStatus(tree: Tree): Finding[] {
  const index = tree.file(INDEX)?.text.split(/\n(?=- |\n)/) ?? [];
  const decisions = tree.files.filter(({ path }) => path.startsWith(FOLDER) && path !== INDEX).map(statusOf);
  const byNumber = new Map(decisions.map((decision) => [decision.number, decision]));
  return decisions.flatMap(({ path, number, supersedes, supersededBy }) => {
    const listed = index.find((item) => item.includes(`](${path.replace(FOLDER, "")})`))?.replaceAll(/\s+/g, " ");
    const [, listedBy = ""] = listed?.split(/\(superseded (?:in part )?by/) ?? [];
    const noted = [...listedBy.matchAll(/\d{4}/g)].map(([found]) => found);
    return [
      ...supersedes
        .filter((other) => byNumber.get(other)?.supersededBy.includes(number) !== true)
        .map((other) => `supersedes ${other}, whose first paragraph does not say so`),
      ...supersededBy
        .filter((other) => byNumber.get(other)?.supersedes.includes(number) !== true)
        .map((other) => `is superseded by ${other}, whose first paragraph does not say so`),
      ...(listed === undefined ? [`is not listed in ${INDEX}`] : []),
      ...(listed !== undefined && noted.join() !== supersededBy.join()
        ? [`has another status in ${INDEX}: (superseded by …)`]
        : []),
    ].map((message) => ({ rule: RULE, file: path, message }));
  });
}

function statusOf({ path, text }: File) {
  const first = (text.split("\n\n")[1] ?? "").replaceAll(/\s+/g, " ");
  const [before = "", by = ""] = first.split(/\*\*Superseded (?:in part )?by/);
  return {
    path,
    number: posix.basename(path).slice(0, 4),
    supersedes: before.startsWith("**Supersedes**") ? linked(before) : [],
    supersededBy: linked(by.split("**")[0] ?? ""),
  };
}

/** The numbers of the decisions that a text links to. */
function linked(text: string) {
  return [...text.matchAll(/\]\((\d{4})-/g)].map(([, number = ""]) => number);
}
