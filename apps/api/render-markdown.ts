// Renders a page of docs/ as HTML: headings have the anchors that links name, and links lead only to what is served.
import { posix } from "node:path";
import { Marked } from "marked";
import { escapeHtml } from "./html-page.ts";

/** `path`: where the page is served; `isServed`: whether another path is. */
export function renderMarkdown(
  text: string,
  { path, isServed }: { path: string; isServed: (path: string) => boolean },
): { title: string; html: string } {
  const anchors = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        return `<h${depth} id="${anchorOf(heading, anchors)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        if (/^https?:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${inner}</a>`;
        const [file = "", anchor] = href.split("#");
        const target = file === "" ? path : posix.join(posix.dirname(path), file);
        // Source files are only in the repository.
        if (!isServed(target)) return inner;
        return `<a href="${escapeHtml(target + (anchor === undefined ? "" : `#${anchor}`))}">${inner}</a>`;
      },
      image({ href, text: alt }) {
        const target = posix.join(posix.dirname(path), href);
        return isServed(target)
          ? `<img src="${escapeHtml(target)}" alt="${escapeHtml(alt)}" loading="lazy">`
          : escapeHtml(alt);
      },
    },
  });
  const html = marked.parse(text, { async: false });
  return { title: /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? path, html };
}

/**
 * The same rules as GitHub's, so that the same links work in the repository: punctuation is removed, spaces become
 * hyphens, duplicates are numbered.
 */
function anchorOf(heading: string, anchors: Map<string, number>): string {
  const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  const anchor = plain.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
  const before = anchors.get(anchor) ?? 0;
  anchors.set(anchor, before + 1);
  return before === 0 ? anchor : `${anchor}-${before}`;
}
