// The pages that responses link to, the page at `GET /`, and the OpenAPI document. They are public and served by the
// API itself.
import { basename, dirname, extname } from "node:path/posix";
import { makeOpenApi } from "#contract/openapi.ts";
import { ERRORS_PAGE_PATH } from "#contract/problem.ts";
import { packageVersion } from "#runtime/process/package-version.ts";
import type { HttpResponse } from "./http/response.ts";
import { findDocsFiles, readDocsFile, type DocsFiles } from "./docs-files.ts";
import { escapeHtml, htmlPage, ICON, ICON_PATH, STYLE_PATH, STYLE_SHEET } from "./html-page.ts";
import { renderMarkdown } from "./render-markdown.ts";

/** The page at a path; null if there is none. `accept`: the request's header of that name. */
export type DocsPageResponse = (path: string, accept: string) => HttpResponse | null;

const INDEX_PATH = "/docs/README.md";
const OPENAPI_PATH = "/docs/openapi.json";
const HTML = "text/html; charset=utf-8";
const TEXT = "text/plain; charset=utf-8";
const PICTURE_TYPES: Readonly<Record<string, string>> = { ".png": "image/png", ".svg": "image/svg+xml" };
/** The pages load nothing except their own style sheet and pictures. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const about = {
  name: "Clan XP",
  description: "Stores experience points (XP) for clan members: awards, ranks, memberships and leaderboards.",
  version: packageVersion,
  api: "/v0/clans/{clanId}",
  documentation: INDEX_PATH,
  errors: ERRORS_PAGE_PATH,
  openapi: OPENAPI_PATH,
};

export function makeDocsPageResponse(): DocsPageResponse {
  const files = findDocsFiles();
  const others = new Map<string, () => HttpResponse>([
    [OPENAPI_PATH, () => ({ status: 200, body: JSON.stringify(makeOpenApi()) })],
    [STYLE_PATH, () => ({ status: 200, contentType: "text/css; charset=utf-8", body: STYLE_SHEET })],
    [ICON_PATH, () => picture("image/svg+xml", ICON)],
    ["/favicon.ico", () => picture("image/svg+xml", ICON)],
    ["/robots.txt", () => ({ status: 200, contentType: TEXT, body: "User-agent: *\nDisallow: /\n" })],
  ]);
  const urlOf = (file: string): string | null => (files.has(file) ? pathOf(file) : null);
  /** Each page is rendered on its first request, and cached. */
  const made = new Map<string, HttpResponse>();

  function make(path: string): HttpResponse | null {
    const other = others.get(path);
    if (other) return other();
    const file = fileAt(path, files);
    return file === null ? null : responseOf(file, urlOf, files);
  }

  return (path, accept) => {
    if (path === "/") return accept.includes("text/html") ? landingPage() : { status: 200, headers: VARY, body: about };
    const known = made.get(path) ?? make(path);
    if (known) made.set(path, known);
    return known;
  };
}

/** Files outside docs/ are served below this path. */
const SOURCE_PATH = "/docs/source/";

function pathOf(file: string): string {
  return file === "docs" || file.startsWith("docs/") ? `/${file}` : SOURCE_PATH + file;
}

/** The file that is served at a path, which may lack `.md` or end in a slash; null if there is none. */
function fileAt(path: string, files: DocsFiles): string | null {
  const plain = path.replace(/\/$/, "");
  if (plain === "/docs") return INDEX_PATH.slice(1);
  const file = plain.startsWith(SOURCE_PATH) ? plain.slice(SOURCE_PATH.length) : plain.slice(1);
  return [file, `${file}.md`].find((name) => files.has(name) && pathOf(name).startsWith(plain)) ?? null;
}

function responseOf(file: string, urlOf: (file: string) => string | null, files: DocsFiles): HttpResponse {
  if (files.get(file)?.isFolder) return page(folderPage(file, files));
  const bytes = readDocsFile(file);
  if (file.endsWith(".md")) return page(renderMarkdown(bytes.toString(), { file, urlOf }));
  const type = PICTURE_TYPES[extname(file)];
  return type === undefined ? { status: 200, contentType: TEXT, body: bytes } : picture(type, bytes);
}

function folderPage(folder: string, files: DocsFiles): { title: string; html: string } {
  const served = [...files.keys()].filter((file) => dirname(file) === folder).toSorted();
  const items = served.map(
    (file) => `<li><a href="${escapeHtml(pathOf(file))}">${escapeHtml(basename(file))}</a></li>`,
  );
  const note = "<p>A folder of the repository. The documentation mentions these files of it:</p>";
  return {
    title: folder,
    html: `<h1>${escapeHtml(folder)}</h1>\n${note}\n<ul>\n${items.join("\n")}\n</ul>`,
  };
}

function picture(contentType: string, body: string | Buffer): HttpResponse {
  return { status: 200, contentType, body };
}

const VARY = ["vary", "accept"];

function page({ title, html }: { title: string; html: string }): HttpResponse {
  return { status: 200, contentType: HTML, policy: PAGE_POLICY, body: htmlPage({ title, html, home: INDEX_PATH }) };
}

function landingPage(): HttpResponse {
  const html = `<h1>${about.name}</h1>
<p>${about.description} This is version ${about.version} of the service's API.</p>
<ul>
<li><a href="/docs/quick-start.md">Quick start</a></li>
<li><a href="${INDEX_PATH}">Documentation</a></li>
<li><a href="${ERRORS_PAGE_PATH}">Errors</a></li>
<li><a href="${OPENAPI_PATH}">OpenAPI document</a></li>
</ul>`;
  return { ...page({ title: about.name, html }), headers: VARY };
}
