// Lists of the documentation's pages for programs: llms.txt and llms-full.txt for language models (llmstxt.org),
// sitemap.xml and robots.txt for search engines.
import { escapeHtml } from "#http/escape-html.ts";
import { readDocsFile, targetOf, withoutFrontMatter, type DocsFiles } from "./docs-files.ts";

/** The list of pages, in the order of the sidebar. */
export const INDEX = "docs/README.md";
/** Files outside docs/ are served below this path. */
export const SOURCE_PATH = "/docs/source/";

const LINK = /\]\(([^)\s:]+)\)/g;
/** What the service is used by; decisions and pages for contributors are not. */
const FOR_USERS = /^(?:docs\/(?!decisions\/|contributing\/)|clients\/).*\.md$/;
/** A host name or an address, and a port. */
const HOST = /^[\w.:[\]-]+$/;

export function pathOf(file: string): string {
  return file === "docs" || file.startsWith("docs/") ? `/${file}` : SOURCE_PATH + file;
}

type About = { name: string; description: string };

/** docs/README.md, with links that programs can follow. */
export function llmsText({ name, description }: About): string {
  return `# ${name}\n\n> ${description}\n${textOf(INDEX).replace(/^# .*\n/, "")}`;
}

/** Every page for users, in the order of the list, each below its path. */
export function llmsFullText({ name, description }: About): string {
  const linked = [...readDocsFile(INDEX).toString().matchAll(LINK)].map(([, link = ""]) => fileOf(link, INDEX));
  const pages = [...new Set(linked)].filter((file) => FOR_USERS.test(file));
  const texts = pages.map((file) => `<!-- ${pathOf(file)} -->\n\n${textOf(file)}`);
  return [`# ${name}\n\n> ${description}\n`, ...texts].join("\n");
}

/** Null without an origin that can be named: search engines need complete URLs. */
export function sitemap(files: DocsFiles, { docsUrl, host }: { docsUrl: string; host: string | undefined }) {
  const origin = docsUrl || (host !== undefined && HOST.test(host) ? `http://${host}` : null);
  if (origin === null) return null;
  const pages = [...files.keys()].filter((file) => file.endsWith(".md")).toSorted();
  const urls = pages.map((file) => `<url><loc>${escapeHtml(origin + pathOf(file).replace(/\.md$/, ""))}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join("\n")}\n</urlset>\n`;
}

/** Only documentation with a public address is for search engines: others are copies of it. */
export function robotsText(docsUrl: string): string {
  if (docsUrl === "") return "User-agent: *\nDisallow: /\n";
  return `User-agent: *\nAllow: /docs/\nDisallow: /\nSitemap: ${docsUrl}/docs/sitemap.xml\n`;
}

/** A page whose links begin with the path at which their target is served. */
function textOf(page: string): string {
  const text = withoutFrontMatter(readDocsFile(page).toString());
  return text.replaceAll(LINK, (whole, link: string) => {
    if (link.startsWith("#")) return whole;
    const [, anchor] = link.split("#");
    return `](${pathOf(fileOf(link, page))}${anchor === undefined ? "" : `#${anchor}`})`;
  });
}

function fileOf(link: string, page: string): string {
  return targetOf(link.split("#")[0] ?? "", page);
}
