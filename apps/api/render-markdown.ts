// Renders a page of the documentation as HTML: headings have the anchors that links name, and links lead to where the
// files are served.
import { Marked } from "marked";
import { escapeHtml } from "#http/escape-html.ts";
import { targetOf, withoutFrontMatter } from "./docs-files.ts";

/** `file`: the page's path in the repository; `urlOf`: where another file is served, null if it is not. */
export function renderMarkdown(
  text: string,
  { file, urlOf }: { file: string; urlOf: (file: string) => string | null },
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
        const [linked = "", anchor] = href.split("#");
        const url = urlOf(linked === "" ? file : targetOf(linked, file));
        if (url === null) return inner;
        return `<a href="${escapeHtml(url + (anchor === undefined ? "" : `#${anchor}`))}">${inner}</a>`;
      },
      image({ href, text: alt }) {
        const url = urlOf(targetOf(href, file));
        return url === null
          ? escapeHtml(alt)
          : `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}" loading="lazy">`;
      },
    },
  });
  const html = marked.parse(withoutFrontMatter(text), { async: false });
  return { title: /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? file, html };
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
