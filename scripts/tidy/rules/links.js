// Every relative link on a page leads to a file, a folder or an anchor that exists.

import { posix } from "node:path";
import { anchorsOf } from "../anchors-of.js";

/** @type {import("../read-tree.js").Rule} */
export function links(tree) {
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

/**
 * @param {import("../read-tree.js").Tree} tree
 * @param {string} from
 * @param {string} target
 */
function resolves(tree, from, target) {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? from : posix.join(posix.dirname(from), path).replace(/\/$/, "");
  if (!tree.has(file) && file !== ".") return false;
  return anchor === undefined || anchorsOf(tree.file(file)?.lines ?? []).has(anchor);
}
