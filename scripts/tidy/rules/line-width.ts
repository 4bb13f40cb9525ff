// A line of source or of a page's prose is short enough to show two files side by side. Quoted text may be longer,
// because a message that is split into parts cannot be found by searching for it.

import { sourcesIn, type File, type Finding, type Tree } from "../read-tree.ts";

const COLUMNS_MAX = 120;
const QUOTED = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/(?:\\.|[^/\\\s])+\//g;
/** Types in comments of JavaScript cannot be broken everywhere. */
const TYPE_IN_COMMENT = /@\w+ \{.*\}|^\s*\* @typedef/;
/** Written by a script, for compilers. */
const GENERATED = new Set(["clients/typescript/src/wire.ts"]);

/** In a page: a table, a heading, HTML, or code by its indentation. */
const NO_PROSE = /^\s*[|#<]|^ {4}/;
const MARKERS = /^[\s>]*(?:(?:[-*+]|\d+\.)\s+)*/;
const CODE_OR_LINK = /`[^`]*`|!?\[[^\]]*\]\([^)]*\)/g;

export function lineWidth(tree: Tree): Finding[] {
  const sources = sourcesIn(tree, ["libs", "apps", "clients", "scripts", "test", "bench"]).filter(
    ({ path }) => !GENERATED.has(path),
  );
  const pages = tree.files.filter(({ path }) => path.endsWith(".md"));
  return [...sources.flatMap((file) => tooWide(file, isShort)), ...pages.flatMap((file) => tooWide(file, inProse()))];
}

function tooWide({ path, lines }: File, isFine: (line: string) => boolean): Finding[] {
  return lines.flatMap((line, index) => {
    if (isFine(line)) return [];
    const message = `has ${line.length} columns, over ${COLUMNS_MAX}`;
    return [{ rule: "line-width", file: path, line: index + 1, message }];
  });
}

function isShort(line: string) {
  return line.length <= COLUMNS_MAX || TYPE_IN_COMMENT.test(line) || line.replace(QUOTED, '""').length <= COLUMNS_MAX;
}

/** For the lines of one page, in their order. Code and links are not broken. */
function inProse() {
  let fenced = false;
  return (line: string): boolean => {
    if (/^[\s>]*```/.test(line)) fenced = !fenced;
    if (fenced || line.length <= COLUMNS_MAX || NO_PROSE.test(line)) return true;
    return !/\s/.test(line.replace(MARKERS, "").replace(CODE_OR_LINK, "…").trimEnd());
  };
}
