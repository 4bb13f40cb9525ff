// The folders of a part are its rooms. No circle of imports connects them, and others import the ledger's face only:
// the files directly in libs/ledger.

import { findInCode, sourcesIn, type File, type Finding, type Tree } from "../read-tree.ts";

const PARTS = ["libs/ledger", "libs/usecases", "libs/store"];
const SEALED = "libs/ledger";
const IMPORT = /\bfrom\s+"#([^"]+)"/g;

export function rooms(tree: Tree): Finding[] {
  const sources = sourcesIn(tree, ["libs", "apps", "scripts"]);
  const reaches = makeReaches(sources);
  return sources.flatMap((file) =>
    findInCode(file, IMPORT, ([, imported]) => {
      const message = faultOf(file.path, `libs/${imported}`, reaches);
      return message === null ? undefined : { rule: "rooms", message };
    }),
  );
}

function faultOf(path: string, target: string, reaches: Reaches): string | null {
  const [from, to] = [roomOf(path), roomOf(target)];
  if (to === null) return null;
  if (to.startsWith(`${SEALED}/`) && !path.startsWith(`${SEALED}/`))
    return `imports ${target}, which is inside ${SEALED}`;
  return from !== null && from !== to && reaches(to, from) ? `${from} imports ${to}, which imports it` : null;
}

/** Null: a file directly in a part, or in a part without rooms. */
function roomOf(path: string): string | null {
  const [libs, part, room, file] = path.split("/");
  return file !== undefined && PARTS.includes(`${libs}/${part}`) ? `${libs}/${part}/${room}` : null;
}

/** Whether one room imports another, directly or through others. */
type Reaches = (from: string, to: string) => boolean;

function makeReaches(sources: readonly File[]): Reaches {
  const next = new Map<string, Set<string>>();
  for (const { path, code } of sources) {
    const from = roomOf(path);
    if (from === null) continue;
    for (const [, imported] of code.join("\n").matchAll(IMPORT)) {
      const to = roomOf(`libs/${imported}`);
      if (to !== null) next.set(from, (next.get(from) ?? new Set()).add(to));
    }
  }
  return (from, to) => {
    const seen = new Set([from]);
    for (const room of seen) for (const other of next.get(room) ?? []) seen.add(other);
    return seen.has(to);
  };
}
