// The folders of a part are its rooms. No circle of imports connects them, and others import the ledger's face only:
// the files directly in libs/ledger.

import { lineAt, sourcesIn, type Finding, type Tree } from "../read-tree.ts";

const PARTS = ["libs/ledger", "libs/usecases", "libs/store"];
const SEALED = "ledger";
const IMPORT = /\bfrom\s+"#([^"]+)"/g;

export function rooms(tree: Tree): Finding[] {
  const imports = sourcesIn(tree, ["libs", "apps", "scripts"]).flatMap(({ path, code }) => {
    const text = code.join("\n");
    return [...text.matchAll(IMPORT)].map((match) => {
      const target = `libs/${match[1]}`;
      return { file: path, line: lineAt(text, match.index), target, from: roomOf(path), to: roomOf(target) };
    });
  });
  const reaches = makeReaches(imports);
  return imports.flatMap(({ file, line, target, from, to }) => {
    const isSealed = target.startsWith(`libs/${SEALED}/`) && to !== null && !file.startsWith(`libs/${SEALED}/`);
    if (isSealed) return [{ rule: "rooms", file, line, message: `imports ${target}, which is inside libs/${SEALED}` }];
    const isCircle = from !== null && to !== null && from !== to && reaches(to, from);
    return isCircle ? [{ rule: "rooms", file, line, message: `${from} imports ${to}, which imports it` }] : [];
  });
}

/** Null: a file directly in a part, or in a part without rooms. */
function roomOf(path: string): string | null {
  const [libs, part, room, file] = path.split("/");
  return file !== undefined && PARTS.includes(`${libs}/${part}`) ? `${libs}/${part}/${room}` : null;
}

function makeReaches(
  imports: readonly { from: string | null; to: string | null }[],
): (from: string, to: string) => boolean {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports)
    if (from !== null && to !== null) next.set(from, (next.get(from) ?? new Set()).add(to));
  return (from, to) => {
    const seen = new Set([from]);
    for (const room of seen) for (const other of next.get(room) ?? []) seen.add(other);
    return seen.has(to);
  };
}
