// Every code of an error or of a batch's result has a section, at the anchor that the problem's `type` links to, and
// every section is about an existing code.

import type { Finding, Tree } from "../read-tree.ts";

const CODES = "libs/kernel/error-code.ts";
const BATCH_CODES = "libs/domain/batch.ts";
const PAGE = "docs/reference/errors.md";

export function documentedErrors(tree: Tree): Finding[] {
  const list = /errorCodes = \[([^\]]*)\]/.exec(tree.file(CODES)?.text ?? "")?.[1] ?? "";
  const ofBatches = /batchCodes = \[([^\]]*)\]/.exec(tree.file(BATCH_CODES)?.text ?? "")?.[1] ?? "";
  const codes = [...new Set([...`${list} ${ofBatches}`.matchAll(/"(\w+)"/g)].map((match) => match[1] ?? ""))];
  if (codes.length === 0)
    return [{ rule: "documented-errors", file: CODES, message: "holds no code that this rule can read" }];
  const page = tree.file(PAGE)?.text ?? "";
  const sections = [...page.matchAll(/^<a id="(\w+)"><\/a>\n\n?#+ `?(\w+)`?$/gm)]
    .filter(([, id, heading]) => id === heading)
    .map((match) => match[1] ?? "");
  return [
    ...codes
      .filter((code) => !sections.includes(code))
      .map((code) => `has no section for ${code}: <a id="${code}"></a> and its heading`),
    ...sections
      .filter((code) => !codes.includes(code))
      .map((code) => `has a section for ${code}, which no error carries`),
  ].map((message) => ({ rule: "documented-errors", file: PAGE, message }));
}
