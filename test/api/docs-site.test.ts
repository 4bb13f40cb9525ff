// How the files of the documentation site are sent, without building the site.
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { Request } from "express";
import { afterAll, expect, test } from "vitest";
import { compressFiles } from "../../scripts/system/compress-files.ts";
import { makeDocsPageResponse } from "../../apps/api/docs-pages.ts";
import { makeDocsSite, type DocsSite } from "../../apps/api/docs-site.ts";
import { callerOf, type Caller } from "../support/http.ts";
import { requestText } from "../support/raw-http.ts";
import { expectProblem } from "../support/responses.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";
import { makeWorld } from "../support/world.ts";

const PAGE = `<!doctype html><title>Page</title>${"<p>XP</p>".repeat(1_000)}`;

const world = await makeWorld();
afterAll(() => world.close());

/** A site of one page, one script and one picture, as a build leaves it. */
async function makeSite(): Promise<{ folder: string; anyone: Caller }> {
  const folder = tempDir();
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "page.html"), PAGE);
  writeFileSync(join(folder, "404.html"), "<!doctype html><title>Page not found</title>");
  writeFileSync(join(folder, "assets", "app.1a2b.js"), "go();".repeat(1_000));
  writeFileSync(join(folder, "small.svg"), "<svg/>");
  writeFileSync(join(folder, "picture.png"), "PNG".repeat(1_000));
  compressFiles(folder);
  const { port } = await world.startApi({ siteFolder: folder });
  return { folder, anyone: callerOf(port, null) };
}

test("a file is sent in the smallest form that the request accepts, and no cache takes one for another", async () => {
  const { folder, anyone } = await makeSite();
  const accepted = {
    "gzip, deflate, br, zstd": "br",
    "*": "br",
    gzip: "gzip",
    "br;q=0, gzip": "gzip",
    "gzip;q=0": null,
    identity: null,
  };
  const etags: Record<string, string | null> = {};
  for (const [accept, encoding] of Object.entries(accepted)) {
    const { status, headers, body } = await anyone.get("/docs/page", { "accept-encoding": accept });
    const file = join(folder, `page.html${encoding === null ? "" : encoding === "br" ? ".br" : ".gz"}`);
    expect([accept, status, body]).toStrictEqual([accept, 200, PAGE]);
    expect([headers.get("content-encoding"), headers.get("content-length"), headers.get("vary")]).toStrictEqual([
      encoding,
      String(statSync(file).size),
      "accept-encoding",
    ]);
    etags[String(encoding)] = headers.get("etag");
  }
  expect(new Set(Object.values(etags)).size).toBe(3);
  expect(statSync(join(folder, "page.html.br")).size).toBeLessThan(PAGE.length / 10);
});

test("what compression does not make smaller is sent as it is, compressed forms have no path, and versions are cached for ever", async () => {
  const { anyone } = await makeSite();
  for (const path of ["/docs/picture.png", "/docs/small.svg"]) {
    const { status, headers } = await anyone.get(path, { "accept-encoding": "br, gzip" });
    expect([path, status, headers.get("content-encoding")]).toStrictEqual([path, 200, null]);
  }
  for (const path of ["/docs/page.html.br", "/docs/assets/app.1a2b.js.gz"])
    expect((await anyone.get(path)).status).toBe(404);
  // A file whose name has its version is never asked for again.
  const { headers } = await anyone.get("/docs/assets/app.1a2b.js", { "accept-encoding": "br" });
  const immutable = ["public, max-age=31536000, immutable", "br"];
  expect([headers.get("cache-control"), headers.get("content-encoding")]).toStrictEqual(immutable);
});

test("a browser that has a page asks whether it changed, and gets it again only then", async () => {
  const { folder, anyone } = await makeSite();
  const ask = (known: string, accept = "br"): ReturnType<Caller["get"]> =>
    // Without the last one, `fetch` asks to pass every cache.
    anyone.get("/docs/page", { "accept-encoding": accept, "if-none-match": known, "cache-control": "max-age=0" });
  const first = await ask('"none"');
  expect([first.status, first.headers.get("cache-control")]).toStrictEqual([200, "no-cache"]);
  const etag = first.headers.get("etag") ?? "";
  const again = await ask(etag);
  expect(again.status).toBe(304);
  const vary = "accept-encoding";
  expect([again.body, again.headers.get("etag"), again.headers.get("vary")]).toStrictEqual(["", etag, vary]);
  // The same connection serves the next request.
  expect((await ask(etag, "gzip")).body).toBe(PAGE);
  writeFileSync(join(folder, "page.html"), PAGE.replace("Page", "Edited"));
  compressFiles(folder);
  expect((await ask(etag)).body).toBe(readFileSync(join(folder, "page.html"), "utf8"));
});

test("requests read a file and compute its etag once, until it changes", () => {
  const folder = tempDir();
  const anyForm = { acceptsEncodings: () => false };
  const ask = (site: DocsSite) => site("/docs/page", anyForm as unknown as Request);
  const site = makeDocsSite(folder);
  expect(ask(site)).toBeNull();
  writeFileSync(join(folder, "page.html"), PAGE);
  const first = ask(site);
  expect(first?.body).toStrictEqual(Buffer.from(PAGE));
  expect(ask(site)?.body).toBe(first?.body);
  writeFileSync(join(folder, "page.html"), "edited");
  expect(ask(site)?.body).toStrictEqual(Buffer.from("edited"));
  rmSync(join(folder, "page.html"));
  expect(ask(site)).toBeNull();
});

test("pages of the API itself are made once", async () => {
  const page = makeDocsPageResponse({ site: null, docsUrl: "" });
  for (const path of ["/openapi.json", "/docs/README.md", "/llms.txt", "/favicon.ico"]) {
    const req = { method: "GET", path, headers: {}, acceptsEncodings: () => false } as unknown as Request;
    expect(page(req)?.body).toBeInstanceOf(Buffer);
    expect(page(req)?.body).toBe(page(req)?.body);
  }
});

test("a response that its reader does not take counts against the requests in progress", async () => {
  const folder = tempDir();
  writeFileSync(join(folder, "large.js"), Buffer.alloc(16 * 1024 * 1024, "x"));
  writeFileSync(join(folder, "page.html"), PAGE);
  const { port } = await world.startApi({ siteFolder: folder, requestsMax: 1 });
  const anyone = callerOf(port, null);
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write(requestText("GET", "/docs/large.js", [["Accept-Encoding", "identity"]]));
  await once(socket, "readable");
  expectProblem(await anyone.get("/docs/page"), 503, "busy");
  socket.destroy();
  await until(async () => (await anyone.get("/docs/page")).status === 200);
});

test("a browser gets the site's own page where the site has none, with status 404, and a program a problem", async () => {
  const { anyone } = await makeSite();
  const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8", "if-none-match": "*" };
  const { headers: ofPage } = await anyone.get("/docs/page", browser);
  for (const name of ["nothing", "how-to/nothing/", "nothing.md", "404/nothing"]) {
    const path = `/docs/${name}`;
    const { status, headers, body } = await anyone.get(path, browser);
    expect([path, status, body]).toStrictEqual([path, 404, expect.stringContaining("<title>Page not found")]);
    for (const header of ["content-type", "content-security-policy", "x-content-type-options"])
      expect([header, headers.get(header)]).toStrictEqual([header, ofPage.get(header)]);
    // Another page may have the path tomorrow.
    expect([headers.get("etag"), headers.get("cache-control")]).toStrictEqual([null, "no-store"]);
    const head = await anyone.send("HEAD", path, { headers: browser });
    const type = ofPage.get("content-type");
    expect([head.status, head.body, head.headers.get("content-type")]).toStrictEqual([404, "", type]);
    expectProblem(await anyone.get(path), 404, "not_found");
  }
  expectProblem(await anyone.send("POST", "/docs/nothing", { headers: browser }), 404, "not_found");
  for (const path of ["/docsnothing", "/nothing", "/v0/nothing"])
    expectProblem(await anyone.get(path, browser), 404, "not_found");
  const { port } = await world.startApi({ siteFolder: join(tempDir(), "not-built") });
  expectProblem(await callerOf(port, null).get("/docs/nothing", browser), 404, "not_found");
});
