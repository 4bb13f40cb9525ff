// A function fits on a screen. Its length is that of its own lines: functions inside it are measured by themselves.
//
// Measured by indentation, which holds because oxfmt formats every file: a function ends at the first line that closes
// with a brace at the depth of the line that opened it.

import { sourcesIn } from "../read-tree.js";

const LINES_MAX = 70;

const OPENERS = [
  /^\s*(?:export )?(?:return )?(?:async )?function\b/,
  /=> \(?\{$/,
  // A method: a name, parameters, a brace. Not a statement that looks the same.
  /^\s*(?:async )?(?!(?:if|for|while|switch|catch|return|function)\b)(?:[\w$]+|"[\w-]+")\(.*\)(?:: .+)? \{$/,
];
/** A method whose parameters stand on lines of their own. */
const OPEN_PARAMETERS = /^\s*(?:async )?(?:[\w$]+|"[\w-]+")\($/;
/** A group of tests: a list of functions rather than one. */
const GROUP_OF_TESTS = /^\s*describe\b/;

/** @type {import("../read-tree.js").Rule} */
export function functionLength(tree) {
  return sourcesIn(tree, ["libs", "apps", "clients", "scripts", "test"]).flatMap((file) =>
    functionsIn(file.lines)
      .map((one, _index, all) => ({ one, lines: ownLines(one, all) }))
      .filter(({ lines }) => lines > LINES_MAX)
      .map(({ one, lines }) => ({
        rule: "function-length",
        file: file.path,
        line: one.start + 1,
        message: `this function has ${lines} lines of its own, over ${LINES_MAX}`,
      })),
  );
}

/** @typedef {{ start: number, end: number }} Span the numbers of the first and the last line */

/**
 * @param {string[]} lines
 * @returns {Span[]}
 */
function functionsIn(lines) {
  return lines.flatMap((line, start) => {
    const isMethod = OPEN_PARAMETERS.test(line);
    if (GROUP_OF_TESTS.test(line) || (!isMethod && !OPENERS.some((opener) => opener.test(line)))) return [];
    const indent = indentOf(line);
    const sameDepth = (/** @type {number} */ at) => indentOf(lines[at] ?? "") === indent && lines[at] !== "";
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

/**
 * @param {Span} one
 * @param {Span[]} all
 */
function ownLines(one, all) {
  const inner = new Set();
  for (const other of all) {
    if (other === one || other.start < one.start || other.end > one.end) continue;
    for (let line = other.start; line <= other.end; line += 1) inner.add(line);
  }
  return one.end - one.start + 1 - inner.size;
}

/** @param {string} line */
function indentOf(line) {
  return line.length - line.trimStart().length;
}
