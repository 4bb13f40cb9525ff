// The pages that responses link to, the page at `GET /`, and the OpenAPI document. They are public and served by the
// API itself: by the documentation site if it is built, otherwise as plain pages. Programs get the Markdown of a page
// at its path with `.md`.
import { basename, dirname, extname } from "node:path/posix";
import type { Request } from "express";
import { makeOpenApi } from "#contract/openapi.ts";
import { ERRORS_PAGE_PATH } from "#contract/problem.ts";
import { robloxModel } from "#export/roblox-model.ts";
import { escapeHtml } from "#http/escape-html.ts";
import { packageVersion } from "#process/package-version.ts";
import type { HttpResponse } from "./http/response.ts";
import type { DocsSite } from "./docs-site.ts";
import { INDEX, llmsFullText, llmsText, pathOf, robotsText, sitemap, SOURCE_PATH } from "./docs-lists.ts";
import { findDocsFiles, readDocsFile, type DocsFiles } from "./docs-files.ts";
import { htmlPage, ICON, ICON_PATH, STYLE_PATH, STYLE_SHEET } from "./html-page.ts";
import { renderMarkdown } from "./render-markdown.ts";

/** The page at the path of a request, or one that says that there is none; null if neither exists. */
export type DocsPageResponse = (
  req: Pick<Request, "method" | "path" | "headers" | "acceptsEncodings">,
) => HttpResponse | null;

const HOME_PATH = "/docs";
const INDEX_PATH = `/${INDEX}`;
const SITEMAP_PATHS: ReadonlySet<string> = new Set(["/sitemap.xml", "/docs/sitemap.xml"]);
/** What the site shows where it has no page. */
const MISSING_PATH = "/docs/404";
const OPENAPI_PATH = "/docs/openapi.json";
/** The Roblox client of this version, as the release makes it. */
const MODEL_PATH = "/docs/source/ClanXP.rbxm";
const MODEL_SOURCE = "clients/luau/src/init.luau";
const HTML = "text/html; charset=utf-8";
const TEXT = "text/plain; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";
const PICTURE_TYPES: Readonly<Record<string, string>> = { ".png": "image/png", ".svg": "image/svg+xml" };
/** The pages load nothing except their own style sheet and pictures. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ABOUT = {
  name: "Clan XP",
  description: "Stores experience points (XP) for clan members: awards, ranks, memberships and leaderboards.",
};

/** `docsUrl`: the origin at which callers reach these pages, empty if it is the API's own. */
export function makeDocsPageResponse({ site, docsUrl }: { site: DocsSite | null; docsUrl: string }): DocsPageResponse {
  const files = findDocsFiles();
  const about = {
    ...ABOUT,
    version: packageVersion,
    api: "/v0/clans/{clanId}",
    documentation: docsUrl + INDEX_PATH,
    errors: docsUrl + ERRORS_PAGE_PATH,
    openapi: docsUrl + OPENAPI_PATH,
  };
  const openApi = (): HttpResponse => ({ status: 200, body: JSON.stringify(makeOpenApi()) });
  const others = new Map<string, () => HttpResponse>([
    [OPENAPI_PATH, openApi],
    ["/openapi.json", openApi],
    [MODEL_PATH, model],
    ...atBoth("llms.txt", () => ({ status: 200, contentType: TEXT, body: llmsText(ABOUT) })),
    ...atBoth("llms-full.txt", () => ({ status: 200, contentType: TEXT, body: llmsFullText(ABOUT) })),
    [STYLE_PATH, () => ({ status: 200, contentType: "text/css; charset=utf-8", body: STYLE_SHEET })],
    [ICON_PATH, () => picture("image/svg+xml", ICON)],
    ["/favicon.ico", () => picture("image/svg+xml", ICON)],
    ["/robots.txt", () => ({ status: 200, contentType: TEXT, body: robotsText(docsUrl) })],
  ]);
  const urlOf = (file: string): string | null => (files.has(file) ? pathOf(file) : null);
  /** What is not of the site is made on its first request, and cached. */
  const made = new Map<string, HttpResponse>();

  function make(path: string, forPeople: boolean): HttpResponse | null {
    const other = others.get(path);
    if (other) return other();
    const file = fileAt(path, files);
    if (file === null) return null;
    if (path.endsWith(".md") && !forPeople)
      return { status: 200, contentType: MARKDOWN, headers: VARY, body: readDocsFile(file) };
    return responseOf(file, urlOf, files);
  }

  return (req) => {
    const { path } = req;
    const forPeople = (req.headers.accept ?? "").includes("text/html");
    if (path === "/") return forPeople ? landingPage() : { status: 200, headers: VARY, body: about };
    if (SITEMAP_PATHS.has(path)) {
      const body = sitemap(files, { docsUrl, host: req.headers.host });
      return body === null ? null : { status: 200, contentType: "application/xml", body };
    }
    const ofSite = site?.(path.replace(/\.md$/, ""), req);
    if (ofSite && !path.endsWith(".md")) return ofSite;
    if (ofSite && forPeople)
      return { status: 302, headers: [...VARY, "location", path.replace(/\.md$/, "")], body: "" };
    const key = `${forPeople} ${path}`;
    const known = made.get(key) ?? encoded(make(path, forPeople));
    if (known) made.set(key, known);
    return known ?? (forPeople && isBelowDocs(req) ? missingPage(site?.(MISSING_PATH, req)) : null);
  };
}

/** Text is encoded once, and not for each response. */
function encoded(response: HttpResponse | null): HttpResponse | null {
  return typeof response?.body === "string" ? { ...response, body: Buffer.from(response.body) } : response;
}

function isBelowDocs({ method, path }: Parameters<DocsPageResponse>[0]): boolean {
  return (method === "GET" || method === "HEAD") && path.startsWith(`${HOME_PATH}/`);
}

/** Not stored: the path may have a page later. */
function missingPage(ofSite: HttpResponse | null | undefined): HttpResponse | null {
  if (!ofSite) return null;
  const { etag: _etag, ...response } = ofSite;
  return { ...response, status: 404, headers: [...(ofSite.headers ?? []), ...VARY] };
}

/** At the root, where programs look, and below the documentation. */
function atBoth(name: string, response: () => HttpResponse): [string, () => HttpResponse][] {
  return [
    [`/${name}`, response],
    [`${HOME_PATH}/${name}`, response],
  ];
}

/** The file that is served at a path, which may lack `.md` or end in a slash; null if there is none. */
function fileAt(path: string, files: DocsFiles): string | null {
  const plain = path.replace(/\/$/, "");
  if ([HOME_PATH, `${HOME_PATH}/index`, `${HOME_PATH}/index.md`].includes(plain)) return INDEX;
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

function model(): HttpResponse {
  const headers = ["content-disposition", `attachment; filename="${basename(MODEL_PATH)}"`];
  const body = robloxModel("ClanXP", readDocsFile(MODEL_SOURCE).toString());
  return { status: 200, contentType: "application/octet-stream", headers, body };
}

function picture(contentType: string, body: string | Buffer): HttpResponse {
  return { status: 200, contentType, body };
}

const VARY = ["vary", "accept"];

function page({ title, html }: { title: string; html: string }): HttpResponse {
  return { status: 200, contentType: HTML, policy: PAGE_POLICY, body: htmlPage({ title, html, home: INDEX_PATH }) };
}

function landingPage(): HttpResponse {
  const html = `<h1>${ABOUT.name}</h1>
<p>${ABOUT.description} This is version ${packageVersion} of the service's API.</p>
<ul>
<li><a href="/docs/quick-start.md">Quick start</a></li>
<li><a href="${INDEX_PATH}">Documentation</a></li>
<li><a href="${ERRORS_PAGE_PATH}">Errors</a></li>
<li><a href="${OPENAPI_PATH}">OpenAPI document</a></li>
</ul>`;
  return { ...page({ title: ABOUT.name, html }), headers: VARY };
}
