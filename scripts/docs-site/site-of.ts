// What the site has: the URL of each file of the repository, and the sidebar, which is docs/README.md.

import { posix } from "node:path";

const INDEX = "docs/README.md";
const DECISIONS = "docs/decisions/README.md";
const HOME = "docs-site/pages/index.md";

type Item = { text: string; link: string };
type Group = { text: string; depth: number; items: Item[] };

/**
 * `files`: those that the documentation consists of, with the repository's paths. `urls` of pages are below the site's
 * base, the others complete.
 */
export function siteOf(files: readonly string[], read: (file: string) => string) {
  const pages: Record<string, string> = { [HOME]: "index.md" };
  const urls: Record<string, string> = {};
  for (const file of files) {
    const place = file.startsWith("docs/") ? file.slice("docs/".length) : `source/${file}`;
    if (file.endsWith(".md")) pages[file] = place;
    urls[file] = file.endsWith(".md") ? `/${place.replace(/\.md$/, "")}` : `/docs/${place}`;
  }
  // The list of decisions says more than that of their files.
  const decisions = urls[DECISIONS];
  if (decisions !== undefined) urls["docs/decisions"] = decisions;
  return { pages, urls, sidebar: sidebarOf(read, urls), keywords: keywordsOf(read, urls) };
}

/** The title of each page, and other words for its subject from its front matter, by which the search finds it. */
function keywordsOf(read: (file: string) => string, urls: Record<string, string>) {
  return Object.entries(urls).flatMap(([file, url]) => {
    const text = file.endsWith(".md") ? read(file) : "";
    const title = /^# (.+)$/m.exec(text)?.[1];
    const [, words = ""] = /^---\nkeywords: (.+)\n---\n/.exec(text) ?? [];
    return title === undefined ? [] : [{ url, title, words }];
  });
}

/** One group for each heading with links: first the start, then the tasks, which are headings of the third level. */
function sidebarOf(read: (file: string) => string, urls: Record<string, string>) {
  const groups: Group[] = [];
  for (const match of read(INDEX).matchAll(/^(?:(#{2,3}) (.+)|- \[(.+?)\]\(([^):]+)\))/gm)) {
    const [, hashes, heading, text = "", link = ""] = match;
    if (hashes !== undefined && heading !== undefined) groups.push({ text: heading, depth: hashes.length, items: [] });
    const url = link === "" ? undefined : urls[posix.join("docs", link)];
    if (url !== undefined) groups.at(-1)?.items.push({ text, link: url });
  }
  const [start, ...others] = groups.filter(({ items }) => items.length > 0);
  const tasks = others.filter(({ depth }) => depth === 3);
  const rest = others.filter(({ depth }) => depth === 2);
  // The group of the page that is shown is opened by itself.
  return [start, ...tasks, ...rest].flatMap((group) =>
    group ? [{ text: group.text, items: group.items, ...(group === start ? {} : { collapsed: true }) }] : [],
  );
}
