// The folders of libs are its rooms. No circle of imports connects them, types included, and others import the ledger's
// face only: the files directly in libs/ledger, and its store.

import { findInCode, sourcesIn, type File, type Finding, type Tree } from "../read-tree.ts";

const SEALED = /^libs\/ledger\/(?!store\/)[^/]+\//;
/** They declare what their folder is built of, and import none of it: a room each. */
const DECLARATIONS = /\/(?:ports|bounds)\.ts$/;
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
  if (SEALED.test(target) && !path.startsWith("libs/ledger/")) return `imports ${target}, which is inside libs/ledger`;
  return from !== null && from !== to && reaches(to, from) ? `${from} imports ${to}, which imports it` : null;
}

/** Null: not in libs. */
function roomOf(path: string): string | null {
  if (!path.startsWith("libs/")) return null;
  return DECLARATIONS.test(path) ? path : path.slice(0, path.lastIndexOf("/"));
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
