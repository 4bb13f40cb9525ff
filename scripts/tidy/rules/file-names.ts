// Paths are predictable: words in lower case, joined by hyphens. An exception is README.md, which repository browsers
// show for a folder.

import type { Finding, Tree } from "../read-tree.ts";

const FOLDERS = /^(?:libs|apps|scripts|test|docs)\//;
const WORDS = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const FILE = /^README\.md$|^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test)?\.[a-z]+$/;

export function fileNames(tree: Tree): Finding[] {
  return tree.files
    .filter(({ path }) => FOLDERS.test(path))
    .filter(({ path }) => {
      const names = path.split("/");
      return !FILE.test(names.pop() ?? "") || !names.every((name) => WORDS.test(name));
    })
    .map(({ path }) => ({ rule: "file-names", file: path, message: "is not named in-lower-case-with-hyphens" }));
}
