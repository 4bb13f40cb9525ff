// An endpoint is complete: a row in the table, a route file, tests, and a section on a page of docs/reference/api.

import type { Finding, Tree } from "../read-tree.ts";

const TABLE = "libs/contract/endpoints.ts";
const PAGES = "docs/reference/api/";
const ROW = /^ {2}"?([a-z-]+)"?: \{\n {4}method: "([A-Z]+)",\n {4}path: "([^"]+)"/gm;

export function endpointParts(tree: Tree): Finding[] {
  const rows = [...(tree.file(TABLE)?.text ?? "").matchAll(ROW)].map(([, name = "", method = "", path = ""]) => ({
    name,
    method,
    path,
  }));
  if (rows.length === 0)
    return [{ rule: "endpoint-parts", file: TABLE, message: "holds no endpoint that this rule can read" }];
  const names = new Set(rows.map(({ name }) => name));
  const unlisted = tree.files
    .filter(({ path }) => path.startsWith("apps/api/routes/") && !names.has(path.replace(/^.*\/|\.ts$/g, "")))
    .map(({ path }) => ({ rule: "endpoint-parts", file: path, message: `is the route of no endpoint in ${TABLE}` }));
  return [...rows.flatMap((row) => missingParts(tree, row)), ...unlisted];
}

function missingParts(tree: Tree, { name, method, path }: { name: string; method: string; path: string }) {
  const hasTests = tree.files.some((file) => new RegExp(`^test/api/${name}/.+\\.test\\.ts$`).test(file.path));
  const isDocumented = tree.files.some(
    (file) => file.path.startsWith(PAGES) && file.text.includes(`\`${method} ${path}\``),
  );
  return [
    ...(tree.has(`apps/api/routes/${name}.ts`) ? [] : [`has no route: apps/api/routes/${name}.ts`]),
    ...(hasTests ? [] : [`has no tests: test/api/${name}/`]),
    ...(isDocumented ? [] : [`is on no page of ${PAGES} as \`${method} ${path}\``]),
  ].map((lack) => ({ rule: "endpoint-parts", file: TABLE, message: `${name} ${lack}` }));
}
