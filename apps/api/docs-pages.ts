// The pages that responses link to, the page at `GET /`, and the OpenAPI document. They are public and served by the
// API itself.
import { readdirSync, readFileSync } from "node:fs";
import { makeOpenApi } from "#contract/openapi.ts";
import { ERRORS_PAGE_PATH } from "#contract/problem.ts";
import { packageVersion } from "#runtime/process/package-version.ts";
import type { HttpResponse } from "./http/response.ts";
import { htmlPage, STYLE_PATH, STYLE_SHEET } from "./html-page.ts";
import { renderMarkdown } from "./render-markdown.ts";

/** The page at a path; null if there is none. `accept`: the request's header of that name. */
export type DocsPageResponse = (path: string, accept: string) => HttpResponse | null;

const DOCS = new URL("../../docs/", import.meta.url);
const INDEX_PATH = "/docs/README.md";
const OPENAPI_PATH = "/docs/openapi.json";
const HTML = "text/html; charset=utf-8";
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
  const files = readdirSync(DOCS, { recursive: true, encoding: "utf8" }).map((file) => file.replaceAll("\\", "/"));
  const pathsOf = (extension: string): string[] =>
    files.filter((file) => file.endsWith(extension)).map((file) => `/docs/${file}`);
  const sources = new Set(pathsOf(".md"));
  const pictures = new Set(pathsOf(".png"));
  const others = new Map<string, () => HttpResponse>([
    [OPENAPI_PATH, () => ({ status: 200, body: JSON.stringify(makeOpenApi()) })],
    [STYLE_PATH, () => ({ status: 200, contentType: "text/css; charset=utf-8", body: STYLE_SHEET })],
  ]);
  const isServed = (path: string): boolean => sources.has(path) || pictures.has(path) || others.has(path);
  /** Each page is rendered on its first request, and cached. */
  const made = new Map<string, HttpResponse>();

  function make(path: string): HttpResponse | null {
    const other = others.get(path);
    if (other) return other();
    const isPicture = pictures.has(path);
    if (!isPicture && !sources.has(path)) return null;
    const bytes = readFileSync(new URL(path.slice("/docs/".length), DOCS));
    if (isPicture) return { status: 200, contentType: "image/png", body: bytes };
    return page(renderMarkdown(bytes.toString(), { path, isServed }));
  }

  return (path, accept) => {
    if (path === "/") return accept.includes("text/html") ? landingPage() : { status: 200, headers: VARY, body: about };
    const known = made.get(path) ?? make(path === "/docs/" ? INDEX_PATH : path);
    if (known) made.set(path, known);
    return known;
  };
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
