// A function fits on a screen, including nested functions. If splitting it would make it harder to read, a comment
// directly above it gives the reason: "Long: <reason>". The functions of a test are measured separately, and a group of
// tests (`describe`) is a list of functions rather than one.
//
// Measured by indentation, which holds because oxfmt formats every file: a function ends at the first line that closes
// with a brace at the depth of the line that opened it.

import { sourcesIn, type File, type Finding, type Tree } from "../read-tree.ts";

const LINES_MAX = 70;

const OPENERS = [
  /^\s*(?:export )?(?:return )?(?:async )?function\b/,
  /=> \(?\{$/,
  // A method: a name, parameters, a brace. Not a statement that looks the same.
  /^\s*(?:async )?(?!(?:if|for|while|switch|catch|return|function)\b)(?:[\w$]+|"[\w-]+")\(.*\)(?:: .+)? \{$/,
];
/** A method whose parameters are on separate lines. */
const OPEN_PARAMETERS = /^\s*(?:async )?(?:[\w$]+|"[\w-]+")\($/;
const GROUP_OF_TESTS = /^\s*describe\b/;
const COMMENT = /^\s*(?:\/\/|\/\*\*|\*)/;
const REASON = /^\s*(?:\/\/|\/\*\*|\*) Long:(?<reason>.*)/;
/** Enough that it says something. */
const REASON_CHARS_MIN = 20;

export function functionLength(tree: Tree): Finding[] {
  return [
    ...sourcesIn(tree, ["libs", "apps", "clients", "scripts"]).flatMap(measureWhole),
    ...sourcesIn(tree, ["test"]).flatMap(measureOwn),
  ];
}

/** The numbers of the first and the last line. */
type Span = { start: number; end: number };

function measureWhole({ path, lines }: File): Finding[] {
  const long = functionsIn(lines).filter(({ start, end }) => end - start + 1 > LINES_MAX);
  const reasons = new Map(long.map(({ start }) => [start, reasonAbove(lines, start)]));
  const unexplained = long
    .filter(({ start }) => reasons.get(start) === null)
    .map(({ start, end }) => ({
      line: start + 1,
      message: `this function has ${end - start + 1} lines, over ${LINES_MAX}: split it, or say above it "Long: <reason>"`,
    }));
  const needed = new Set([...reasons.values()].map((reason) => reason?.line));
  const stale = lines.flatMap((line, at) =>
    REASON.test(line) && !needed.has(at)
      ? [{ line: at + 1, message: `no function over ${LINES_MAX} lines is below this reason, or it says nothing` }]
      : [],
  );
  return [...unexplained, ...stale].map((fault) => ({ rule: "function-length", file: path, ...fault }));
}

/** Where the comment above the function gives its reason. */
function reasonAbove(lines: string[], start: number): { line: number } | null {
  for (let line = start - 1; COMMENT.test(lines[line] ?? ""); line -= 1) {
    const reason = REASON.exec(lines[line] ?? "")?.groups?.["reason"] ?? "";
    if (reason.trim().length >= REASON_CHARS_MIN) return { line };
  }
  return null;
}

function measureOwn({ path, lines }: File): Finding[] {
  return functionsIn(lines)
    .map((one, _index, all) => ({ one, own: ownLines(one, all) }))
    .filter(({ one, own }) => own > LINES_MAX && !GROUP_OF_TESTS.test(lines[one.start] ?? ""))
    .map(({ one, own }) => ({
      rule: "function-length",
      file: path,
      line: one.start + 1,
      message: `this function has ${own} own lines, over ${LINES_MAX}`,
    }));
}

function functionsIn(lines: string[]): Span[] {
  return lines.flatMap((line, start) => {
    const isMethod = OPEN_PARAMETERS.test(line);
    if (!isMethod && !OPENERS.some((opener) => opener.test(line))) return [];
    const indent = indentOf(line);
    const sameDepth = (at: number) => indentOf(lines[at] ?? "") === indent && lines[at] !== "";
    let end = start + 1;
    // A line that closes the parameters and opens the body is not the end: "}): Api {".
    while (end < lines.length && !(sameDepth(end) && !/^\s*[)}\]].*\{$/.test(lines[end] ?? ""))) {
      end += 1;
    }
    const last = lines[end] ?? "";
    const isCall =
      isMethod &&
      !lines.slice(start, end).some((inner, index) => sameDepth(start + index) && /^\s*\).*\{$/.test(inner));
    return isCall || !/^\s*\}/.test(last) ? [] : [{ start, end }];
  });
}

function ownLines(one: Span, all: Span[]) {
  const inner = new Set();
  for (const other of all) {
    if (other === one || other.start < one.start || other.end > one.end) continue;
    for (let line = other.start; line <= other.end; line += 1) inner.add(line);
  }
  return one.end - one.start + 1 - inner.size;
}

function indentOf(line: string) {
  return line.length - line.trimStart().length;
}
