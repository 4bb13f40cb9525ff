// Everything that a file cites is in the repository: a page of docs/ with its anchor, a decision by its number, a file
// by its name. A word in capitals with a number counts as an unavailable document, unless it is a public standard.

import { posix } from "node:path";
import { anchorsOf } from "../anchors-of.ts";
import type { File, Finding, Tree } from "../read-tree.ts";

const RULE = "citations";
/** Standards, and words that a number follows for another reason. */
const PUBLIC = new Set(["RFC", "HTTP", "TLS", "ISO", "SHA", "UTF", "AES", "EPYC", "WSL"]);
const DOCUMENT = /\b([A-Z]{3,})(?:,? section)? \d+(?:\.\d+)*\b/g;
const PAGE = /\b(docs\/[a-z0-9/-]+\.md)\b(?:#([a-z0-9_-]+))?/g;
const FILE = /(?<![\w/.-])[a-z][a-z0-9-]*\.(?:ts|tsx|js)\b/g;
const DECISION = /\bdecisions? (\d{4})\b|\bdocs\/decisions\/(\d{4})\b/g;

export function citations(tree: Tree): Finding[] {
  const names = new Set(tree.files.map(({ path }) => posix.basename(path)));
  const decisions = new Set(tree.files.flatMap(({ path }) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? []));
  return tree.files
    .filter(({ path }) => /\.(?:ts|js|mjs|ya?ml|cfg|md)$|(?:^|\/)Dockerfile$/.test(path))
    .flatMap((file) =>
      file.lines.flatMap((line, index) =>
        lost(line, { prose: isProse(file, index), comment: isComment(file, index) }).map(({ message }) => ({
          rule: RULE,
          file: file.path,
          line: index + 1,
          message,
        })),
      ),
    );

  function lost(line: string, { prose, comment }: { prose: boolean; comment: boolean }) {
    const documents = prose
      ? [...line.matchAll(DOCUMENT)].filter(([, name = ""]) => !PUBLIC.has(name)).map(([text]) => text)
      : [];
    const pages = [...line.matchAll(PAGE)]
      .filter(([, path = "", anchor]) => !tree.has(path) || (anchor !== undefined && !hasAnchor(path, anchor)))
      .map(([text]) => text);
    const files = comment ? [...line.matchAll(FILE)].map(([text]) => text).filter((name) => !names.has(name)) : [];
    const numbers = [...line.matchAll(DECISION)]
      .filter(([, a, b]) => !decisions.has(a ?? b ?? ""))
      .map(([text]) => text);
    return [...documents, ...pages, ...files, ...numbers].map((text) => ({
      message: `cites ${text}, which is not in the repository`,
    }));
  }

  function hasAnchor(path: string, anchor: string) {
    return anchorsOf(tree.file(path)?.lines ?? []).has(anchor);
  }
}

/** A comment of a source file. */
function isComment(file: File, index: number) {
  return /\.(?:tsx?|js)$/.test(file.path) && file.code[index] === "" && file.lines[index] !== "";
}

/** A comment, or a line of a page. */
function isProse(file: File, index: number) {
  return file.path.endsWith(".md") || file.code[index] === "" || /^\s*#/.test(file.lines[index] ?? "");
}
