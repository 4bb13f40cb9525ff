// Every relative link of a page names an existing file, folder or anchor.

import { posix } from "node:path";
import { anchorsOf } from "../anchors-of.ts";
import type { Finding, Tree } from "../read-tree.ts";

export function links(tree: Tree): Finding[] {
  return tree.files
    .filter(({ path }) => path.endsWith(".md"))
    .flatMap((page) => {
      let fenced = false;
      return page.lines.flatMap((line, index) => {
        if (/^\s*```/.test(line)) fenced = !fenced;
        if (fenced) return [];
        const targets = [...line.replaceAll(/`[^`]*`/g, "").matchAll(/\]\(([^)\s]+)[^)]*\)|^\[[^\]]+\]: (\S+)/g)].map(
          (match) => match[1] ?? match[2] ?? "",
        );
        return targets
          .filter((target) => !/^[a-z]+:/.test(target) && !resolves(tree, page.path, target))
          .map((target) => ({ rule: "links", file: page.path, line: index + 1, message: `${target} leads nowhere` }));
      });
    });
}

function resolves(tree: Tree, from: string, target: string) {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? from : posix.join(posix.dirname(from), path).replace(/\/$/, "");
  if (!tree.has(file) && file !== ".") return false;
  return anchor === undefined || anchorsOf(tree.file(file)?.lines ?? []).has(anchor);
}
