// The files of the repository that the documentation consists of: the pages and pictures below docs/, and whatever
// pages link to, so that no link leads to nothing. No other file is served: a checkout may contain private ones.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, posix } from "node:path";

const ROOT = new URL("../../", import.meta.url);
const LINK = /\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g;
const IN_DOCS: ReadonlySet<string> = new Set([".md", ".png", ".svg"]);

/** Paths from the repository's root, each with whether it is a folder. */
export type DocsFiles = ReadonlyMap<string, { isFolder: boolean }>;

export function findDocsFiles(): DocsFiles {
  const files = new Map<string, { isFolder: boolean }>();
  const open = readdirSync(locate("docs"), { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((file) => IN_DOCS.has(extname(file)));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file) || file.startsWith("../") || !existsSync(locate(file))) continue;
    const isFolder = statSync(locate(file)).isDirectory();
    files.set(file, { isFolder });
    if (file.endsWith(".md")) open.push(...linksIn(file));
  }
  return files;
}

export function readDocsFile(file: string): Buffer {
  return readFileSync(locate(file));
}

/** The text of a page without what only the documentation site knows of it, such as other words for its subject. */
export function withoutFrontMatter(text: string): string {
  return text.replace(/^---\n(?:.*\n)*?---\n+/, "");
}

/** The file that a link in another one leads to. */
export function targetOf(link: string, from: string): string {
  return posix.join(posix.dirname(from), link).replace(/\/$/, "");
}

function linksIn(page: string): string[] {
  return [...readDocsFile(page).toString().matchAll(LINK)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/i.test(link))
    .map((link) => targetOf(link, page));
}

export function locate(file: string): URL {
  return new URL(file, ROOT);
}
