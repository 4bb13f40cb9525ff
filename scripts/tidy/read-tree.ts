// The repository as the rules see it: every file with its text, except downloads, builds and other generated files.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SKIPPED = new Set([".git", "node_modules", ".cache", ".data", "coverage", "dist", ".temp"]);
/** Intentionally wrong: each contains the findings of one rule. */
const FIXTURES = "test/tidy/fixtures";

/** `code`: the lines, comment lines emptied. */
export type File = { path: string; text: string; lines: string[]; code: string[] };

export type Tree = {
  /** Paths are relative to the root, with "/". */
  files: File[];
  file: (path: string) => File | undefined;
  /** A file or a folder. */
  has: (path: string) => boolean;
};

export type Finding = { rule: string; file: string; line?: number; message: string };

export type Rule = (tree: Tree) => Finding[];

export function readTree(root: string): Tree {
  const paths = walk(root, "");
  const files = paths.map((path) => readFile(root, path));
  const byPath = new Map(files.map((file) => [file.path, file]));
  return {
    files,
    file: (path) => byPath.get(path),
    has: (path) => byPath.has(path) || paths.some((other) => other.startsWith(`${path}/`)),
  };
}

function walk(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.has(name) && !name.endsWith(".log"))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (path === FIXTURES) return [];
      return entry.isDirectory() ? walk(root, path) : [path];
    });
}

function readFile(root: string, path: string): File {
  const text = readFileSync(join(root, path), "utf8");
  const lines = text.split("\n");
  return { path, text, lines, code: lines.map((line) => (/^\s*(?:\/\/|\/\*|\*)/.test(line) ? "" : line)) };
}

/** Source files below any of these folders. */
export function sourcesIn(tree: Tree, folders: string[]): File[] {
  return tree.files.filter(
    ({ path }) => /\.(?:tsx?|js)$/.test(path) && folders.some((folder) => path.startsWith(`${folder}/`)),
  );
}

/**
 * One finding for each match of a pattern (with the flag g) in the code, at its line, unless `check` returns nothing
 * for it.
 */
export function findInCode(
  file: File,
  pattern: RegExp,
  check: (match: RegExpMatchArray) => Pick<Finding, "rule" | "message"> | undefined,
): Finding[] {
  const code = file.code.join("\n");
  return [...code.matchAll(pattern)].flatMap((match) => {
    const fault = check(match);
    return fault ? [{ ...fault, file: file.path, line: lineAt(code, match.index ?? 0) }] : [];
  });
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
