// The tests that a change can affect: those that import a changed file, directly or through others, and those that
// start a program which does. Imports in this repository name files, so that reading them is enough.

import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

const MAINS = ["api", "worker", "notifier", "dashboard"].map((role) => `apps/${role}/main.ts`);
const CLI = "apps/cli/main.ts";

/** What a test, or a file that it imports from test/ or bench/, starts as a process, or in a browser. */
const STARTS: readonly { text: RegExp; programs: readonly string[] }[] = [
  ...MAINS.map((main) => ({ text: new RegExp(`startProcess\\(\\s*"${main.split("/")[1]}"`), programs: [main] })),
  { text: /import \{[^}]*\bstartSecond\b/, programs: ["apps/api/main.ts", "apps/worker/main.ts"] },
  { text: /import \{[^}]*\bnpmStart\b/, programs: [...MAINS, CLI, "scripts/start.js"] },
  { text: /import \{[^}]*\brealCliOn\b|scripts", "clanxp\.js"/, programs: [CLI] },
  { text: /import \{[^}]*\bopenBrowser\b/, programs: ["apps/dashboard/main.ts", "apps/dashboard/web/main.tsx"] },
];

/** They decide about all tests. */
const OF_ALL = /^(package(-lock)?\.json|vitest\.config\.ts|test\/support\/(global-setup|file-order|world)\.ts)$/;

/** Of `tests`, those that any of `changed` can affect; paths begin at `root`. */
export function testsOf({ root, changed }: { root: string; changed: readonly string[] }): {
  all: string[];
  selected: string[];
} {
  const all = globSync("{test,bench}/**/*.test.ts", { cwd: root, exclude: ["test/tidy/fixtures/**"] }).toSorted();
  if (changed.some((path) => OF_ALL.test(path))) return { all, selected: all };
  const isChanged = new Set(changed);
  const read = readerOf(root);
  const selected = all.filter((test) => {
    const imported = reachedFrom([test], read);
    const texts = [...imported].filter((path) => /^(test|bench)\//.test(path)).map((path) => read(path).text);
    const started = STARTS.filter(({ text }) => texts.some((one) => text.test(one)));
    const programs = reachedFrom(
      started.flatMap((each) => each.programs),
      read,
    );
    return [...imported, ...programs].some((path) => isChanged.has(path));
  });
  return { all, selected };
}

type Source = { text: string; imports: string[] };

function reachedFrom(entries: readonly string[], read: (path: string) => Source): Set<string> {
  const reached = new Set(entries);
  // A set goes on with what is added meanwhile.
  for (const path of reached) for (const imported of read(path).imports) reached.add(imported);
  return reached;
}

function readerOf(root: string): (path: string) => Source {
  const known = new Map<string, Source>();
  return (path) => {
    const source = known.get(path) ?? sourceOf(root, path);
    known.set(path, source);
    return source;
  };
}

function sourceOf(root: string, path: string): Source {
  const file = join(root, path);
  if (!/\.(ts|tsx|js)$/.test(path) || !existsSync(file)) return { text: "", imports: [] };
  const text = readFileSync(file, "utf8");
  const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*"([.#][^"]+)"/g)].map(([, name = ""]) =>
    name.startsWith("#") ? `libs/${name.slice(1)}` : posix.join(posix.dirname(path), name),
  );
  return { text, imports };
}
