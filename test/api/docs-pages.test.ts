// What a browser or a program finds beside the endpoints: pages whose links lead somewhere, which load nothing from
// elsewhere.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import type { Request } from "express";
import { marked } from "marked";
import { describe, expect, test } from "vitest";
import { robloxModel } from "#export/roblox-model.ts";
import { findDocsFiles } from "../../apps/api/docs-files.ts";
import { makeDocsPageResponse } from "../../apps/api/docs-pages.ts";
import { root } from "../../scripts/paths.js";
import { expectProblem } from "../support/responses.ts";
import { callerOf } from "../support/http.ts";
import { tempDir } from "../support/temp-dir.ts";
import { useApi } from "../support/use-api.ts";

/** What a browser sends; programs get Markdown at a path with `.md`. */
const PEOPLE = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

const { port } = await useApi();
const anyone = callerOf(port, null);

describe("GET /", () => {
  test("describes the service with links, as JSON for programs", async () => {
    const reply = await anyone.get("/");
    expect(reply).toMatchObject({ status: 200, body: { name: "Clan XP", documentation: "/docs/README.md" } });
    expect([reply.headers.get("content-type"), reply.headers.get("vary")]).toStrictEqual([
      "application/json",
      "accept",
    ]);
    for (const path of ["documentation", "errors", "openapi"])
      expect((await anyone.get(reply.body[path])).status).toBe(200);
  });

  test("describes the service as HTML for browsers", async () => {
    const reply = await anyone.get("/", PEOPLE);
    expect(reply).toMatchObject({ status: 200, body: expect.stringContaining("<h1>Clan XP</h1>") });
    expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(reply.body).toContain("<title>Clan XP</title>");
  });
});

const shortPaths: [path: string, file: string][] = [
  ["/docs", "/docs/README.md"],
  ["/docs/", "/docs/README.md"],
  ["/docs/index", "/docs/README.md"],
  ["/docs/how-to/roblox", "/docs/how-to/roblox.md"],
  ["/docs/how-to/roblox/", "/docs/how-to/roblox.md"],
  ["/docs/source/ARCHITECTURE", "/docs/source/ARCHITECTURE.md"],
];
test.for(shortPaths)("%s is the page %s", async ([path, file]) => {
  const [reply, page] = [await anyone.get(path), await anyone.get(file, PEOPLE)];
  expect([reply.status, reply.body]).toStrictEqual([200, page.body]);
});

test.for([
  "/docs/source/package.json",
  "/docs/source/docs/README.md",
  "/docs/source/apps/api/main.ts",
  "/docs/source/..%2Fpackage.json",
  "/docs/../package.json",
  "/docs/%2e%2e/package.json",
  "/docs/reference/errors.md%00",
  "/docs/reference",
  "/docs/how-to/roblox.m",
  "/docs/nothing",
  "/README.md",
])("%s, which no page links to, is not served", async (path) => {
  expectProblem(await anyone.get(path), 404, "not_found");
});

test("programs get the Markdown of a page at its path with .md, and a list of all pages", async () => {
  const page = await anyone.get("/docs/source/clients/luau/README.md");
  expect([page.status, page.headers.get("content-type"), page.headers.get("vary")]).toStrictEqual([
    200,
    "text/markdown; charset=utf-8",
    "accept",
  ]);
  expect(page.body).toBe(readFileSync(join(root, "clients/luau/README.md"), "utf8"));
  const index = "/docs/index";
  expect((await anyone.get(`${index}.md`)).body).toBe(readFileSync(join(root, "docs/README.md"), "utf8"));
  const { body: list } = await anyone.get("/llms.txt");
  expect(list).toMatch(/^# Clan XP\n\n> .+\n\n## /);
  const paths = [...String(list).matchAll(/\]\((\/docs\/[^)#]+)/g)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(70);
  const missing = await Promise.all(paths.map(async (path) => ({ path, status: (await anyone.get(path)).status })));
  expect(missing.filter(({ status }) => status !== 200)).toStrictEqual([]);
});

test("programs get all pages for users as one text, whose links begin with their paths", async () => {
  const { status, headers, body } = await anyone.get("/docs/llms-full.txt");
  expect([status, headers.get("content-type")]).toStrictEqual([200, "text/plain; charset=utf-8"]);
  expect((await anyone.get("/llms-full.txt")).body).toBe(body);
  expect((await anyone.get("/docs/llms.txt")).body).toBe((await anyone.get("/llms.txt")).body);
  const text = String(body);
  const titles = [...text.matchAll(/^<!-- (\/docs\/.+\.md) -->\n\n# .+$/gm)].map(([, path = ""]) => path);
  expect(titles.length).toBeGreaterThan(60);
  expect(titles.slice(0, 2)).toStrictEqual(["/docs/quick-start.md", "/docs/concepts/ranks-and-auto-clans.md"]);
  expect(titles.filter((path) => /decisions|contributing/.test(path))).toStrictEqual([]);
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  expect(prose.match(/\]\((?!\/docs\/|#|https?:)[^)]*\)/g)).toBeNull();
});

test("search engines get every page, under the public address of the documentation if there is one", async () => {
  for (const path of ["/sitemap.xml", "/docs/sitemap.xml"]) {
    const { status, headers, body } = await anyone.get(path);
    expect([status, headers.get("content-type")]).toStrictEqual([200, "application/xml"]);
    expect(body).toContain(`<loc>http://127.0.0.1:${port}/docs/quick-start</loc>`);
  }
  const page = makeDocsPageResponse({ site: null, docsUrl: "https://docs.example.com" });
  const ask = (path: string, headers = {}) =>
    page({ method: "GET", path, headers, acceptsEncodings: () => false } as unknown as Request);
  expect(ask("/docs/sitemap.xml")?.body).toContain("<loc>https://docs.example.com/docs/reference/api/awards</loc>");
  expect(String(ask("/robots.txt")?.body)).toContain("Sitemap: https://docs.example.com/docs/sitemap.xml\n");
  const unnamed = makeDocsPageResponse({ site: null, docsUrl: "" });
  const req = { method: "GET", path: "/sitemap.xml", headers: { host: "<x>" }, acceptsEncodings: () => false };
  expect(unnamed(req as unknown as Request)).toBeNull();
});

test("what browsers and crawlers request by themselves is served", async () => {
  const icon = await anyone.get("/favicon.ico");
  expect([icon.status, icon.headers.get("content-type")]).toStrictEqual([200, "image/svg+xml"]);
  expect(icon.body).toBe(readFileSync(join(root, "apps/dashboard/web/public/icon.svg"), "utf8").trim());
  const robots = await anyone.get("/robots.txt");
  expect([robots.status, robots.body]).toStrictEqual([200, "User-agent: *\nDisallow: /\n"]);
});

test("the image contains exactly the files that are served", () => {
  const path = tempDir();
  execFileSync(process.execPath, [join(root, "apps/api/copy-docs-files.ts"), path]);
  const served = [...findDocsFiles().keys()];
  const copied = readdirSync(path, { recursive: true, encoding: "utf8" });
  expect(copied.filter((file) => statSync(join(path, file)).isFile()).toSorted()).toStrictEqual(
    served.filter((file) => statSync(join(root, file)).isFile()).toSorted(),
  );
  expect(served.filter((file) => !existsSync(join(path, file)))).toStrictEqual([]);
  // The build can read them.
  const allowed = readFileSync(join(root, ".dockerignore"), "utf8").matchAll(/^!(.+)$/gm);
  const patterns = [...allowed].map(([, pattern = ""]) => pattern);
  const isSent = (file: string): boolean => patterns.some((pattern) => matchesGlob(file, `${pattern}{,/**}`));
  expect(served.filter((file) => !isSent(file))).toStrictEqual([]);
});

test("the Roblox client is served as the file that Studio inserts, with the module as it is", async () => {
  for (const headers of [{}, PEOPLE]) {
    const response = await fetch(`http://127.0.0.1:${port}/docs/source/ClanXP.rbxm`, { headers });
    const { status, headers: sent } = response;
    expect([status, sent.get("content-type"), sent.get("content-disposition")]).toStrictEqual([
      200,
      "application/octet-stream",
      'attachment; filename="ClanXP.rbxm"',
    ]);
    const module = readFileSync(join(root, "clients/luau/src/init.luau"), "utf8");
    expect(Buffer.from(await response.arrayBuffer()).equals(robloxModel("ClanXP", module))).toBe(true);
  }
});

test("links to code and to the pages of the clients lead to them", async () => {
  const { body } = await anyone.get("/docs/how-to/roblox.md", PEOPLE);
  expect(body).toContain('<a href="/docs/source/clients/luau/src/init.luau">');
  const module = await anyone.get("/docs/source/clients/luau/src/init.luau");
  expect(module.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(module.body).toBe(readFileSync(join(root, "clients/luau/src/init.luau"), "utf8"));
  expect((await anyone.get("/docs/source/clients/luau/README.md", PEOPLE)).body).toContain("<h1 ");
});

test("every page links only to existing pages and anchors, and loads nothing but its style sheet and pictures", async () => {
  const seen = new Map<string, string>();
  const requested = new Set<string>();
  const open = ["/docs/README.md"];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const reply = await anyone.get(path, PEOPLE);
    expect({ path, status: reply.status }).toStrictEqual({ path, status: 200 });
    const html = typeof reply.body === "string" ? reply.body : "";
    seen.set(path, html);
    if (!reply.headers.get("content-type")?.startsWith("text/html")) continue;
    expect(reply.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(html).not.toMatch(/<(?:script|iframe|style)\b|<[^>]* (?:style|on\w+)=/);
    // Every link of the Markdown file is one on the page.
    if (path.endsWith(".md")) expect({ path, links: linksOn(html) }).toStrictEqual({ path, links: linksIn(path) });
    for (const [, href = ""] of html.matchAll(/ href="([^"]*)"/g)) {
      const target = new URL(href, `http://service${path}`);
      if (target.host !== "service") continue;
      requested.add(target.pathname + target.hash);
      if (!seen.has(target.pathname) && !open.includes(target.pathname) && target.pathname !== "/")
        open.push(target.pathname);
    }
  }
  expect(seen.size).toBeGreaterThan(150);
  const pictures = [...seen].flatMap(([, html]) =>
    [...html.matchAll(/<img src="([^"]*)" alt="[^"]+"/g)].map(([, src = ""]) => src),
  );
  expect(pictures.length).toBeGreaterThan(5);
  for (const src of pictures) {
    const picture = await fetch(`http://127.0.0.1:${port}${src}`);
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect([picture.status, picture.headers.get("content-type")]).toStrictEqual([
      200,
      src.endsWith(".svg") ? "image/svg+xml" : "image/png",
    ]);
    if (src.endsWith(".png")) expect(bytes.subarray(0, 8)).toStrictEqual(Buffer.from("89504e470d0a1a0a", "hex"));
    expect(bytes.length).toBe(Number(picture.headers.get("content-length")));
  }
  const dead = [...requested].filter((target) => {
    const [path = "", anchor] = target.split("#");
    return anchor !== undefined && !seen.get(path)?.includes(`id="${decodeURIComponent(anchor)}"`);
  });
  expect(dead).toStrictEqual([]);
});

/** How many links the page has below its navigation. */
function linksOn(html: string): number {
  return [...html.slice(html.indexOf("<main>")).matchAll(/<a href=/g)].length;
}

/** How many links the Markdown file has, as its own parser finds them. */
function linksIn(path: string): number {
  const file = path.startsWith("/docs/source/") ? path.slice("/docs/source/".length) : path.slice(1);
  const types: string[] = [];
  const tokens = marked.lexer(readFileSync(join(root, file), "utf8"));
  void marked.walkTokens(tokens, (token) => void types.push(token.type));
  return types.filter((type) => type === "link").length;
}
