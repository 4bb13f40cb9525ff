// The repository as the rules see it: every file of it with its text, without what is fetched, built or made by running
// it.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SKIPPED = new Set([".git", "node_modules", ".cache", ".data", "coverage", "dist"]);
/** Wrong on purpose: each holds what one rule must find. */
const FIXTURES = "test/tidy/fixtures";

/**
 * @typedef {{ path: string, text: string, lines: string[], code: string[] }} File `code`: the lines, comment lines emptied
 *
 * @typedef {object} Tree
 * @property {File[]} files paths are relative to the root, with "/"
 * @property {(path: string) => File | undefined} file
 * @property {(path: string) => boolean} has a file or a folder
 *
 * @typedef {{ rule: string, file: string, line?: number, message: string }} Finding
 * @typedef {(tree: Tree) => Finding[]} Rule
 */

/**
 * @param {string} root
 * @returns {Tree}
 */
export function readTree(root) {
  const paths = walk(root, "");
  const files = paths.map((path) => readFile(root, path));
  const byPath = new Map(files.map((file) => [file.path, file]));
  return {
    files,
    file: (path) => byPath.get(path),
    has: (path) => byPath.has(path) || paths.some((other) => other.startsWith(`${path}/`)),
  };
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function walk(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.has(name) && !name.endsWith(".log"))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (path === FIXTURES) return [];
      return entry.isDirectory() ? walk(root, path) : [path];
    });
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {File}
 */
function readFile(root, path) {
  const text = readFileSync(join(root, path), "utf8");
  const lines = text.split("\n");
  return { path, text, lines, code: lines.map((line) => (/^\s*(?:\/\/|\/\*|\*)/.test(line) ? "" : line)) };
}

/**
 * Source files below any of these folders.
 * @param {Tree} tree
 * @param {string[]} folders
 */
export function sourcesIn(tree, folders) {
  return tree.files.filter(
    ({ path }) => /\.(?:tsx?|js)$/.test(path) && folders.some((folder) => path.startsWith(`${folder}/`)),
  );
}

/**
 * One finding for each match of a pattern in the code, at its line.
 * @param {File} file
 * @param {RegExp} pattern with the flag g
 * @param {(match: RegExpMatchArray) => Pick<Finding, "rule" | "message"> | undefined} judge undefined: this match is fine
 * @returns {Finding[]}
 */
export function findInCode(file, pattern, judge) {
  const code = file.code.join("\n");
  return [...code.matchAll(pattern)].flatMap((match) => {
    const fault = judge(match);
    return fault ? [{ ...fault, file: file.path, line: lineAt(code, match.index ?? 0) }] : [];
  });
}

/**
 * @param {string} text
 * @param {number} index
 */
export function lineAt(text, index) {
  return text.slice(0, index).split("\n").length;
}
