// The repository works on any machine and with any mirror: it names no package registry and no path of a developer's
// machine. The package client's settings select the registry.

import type { Finding, Tree } from "../read-tree.ts";

const TRACES = [
  {
    pattern:
      /\b(?:registry|npm|pypi|files|deb|security|archive|index|mirrors?)\.(?:[a-z0-9-]+\.)*(?:org|com|net|io|dev)\b/i,
    what: "a package registry",
  },
  { pattern: /^\s*"resolved": "https?:/, what: "a package registry" },
  { pattern: /\b(?:registry|index-url)\s*=\s*["']?https?:/, what: "a package registry" },
  { pattern: /(?:^|[\s"'`(=:,])\/(?:home|Users|root|work)\/\w/, what: "a path of one machine" },
  { pattern: /\b[A-Z]:\\\\?Users\b/, what: "a path of one machine" },
];

/** A Wally manifest is not valid without the index that the package is made for. */
const REQUIRED = { file: /(?:^|\/)wally\.toml$/, line: /^registry = / };

export function noMachineTraces(tree: Tree): Finding[] {
  return tree.files.flatMap((file) =>
    file.lines.flatMap((line, index) => {
      if (REQUIRED.file.test(file.path) && REQUIRED.line.test(line)) return [];
      const trace = TRACES.find(({ pattern }) => pattern.test(line));
      return trace
        ? [{ rule: "no-machine-traces", file: file.path, line: index + 1, message: `names ${trace.what}` }]
        : [];
    }),
  );
}
