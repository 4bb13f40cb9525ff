// What a browser or a program finds beside the endpoints: pages whose links lead somewhere, which load nothing from
// elsewhere.
import { beforeAll, describe, expect, test } from "vitest";
import { callerOf, type Caller } from "../support/http.ts";
import { useApi } from "../support/use-api.ts";

let anyone: Caller;
const { port } = await useApi();
beforeAll(async () => {
  anyone = callerOf(port, null);
});

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
    const reply = await anyone.get("/", { accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
    expect(reply).toMatchObject({ status: 200, body: expect.stringContaining("<h1>Clan XP</h1>") });
    expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });
});

test("every page links only to existing pages and anchors, and loads nothing but its style sheet and pictures", async () => {
  const seen = new Map<string, string>();
  const requested = new Set<string>();
  const open = ["/docs/README.md"];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const reply = await anyone.get(path);
    expect({ path, status: reply.status }).toStrictEqual({ path, status: 200 });
    const html = typeof reply.body === "string" ? reply.body : "";
    seen.set(path, html);
    if (!reply.headers.get("content-type")?.startsWith("text/html")) continue;
    expect(reply.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(html).not.toMatch(/<(?:script|iframe|style)\b| style=| on\w+=/);
    for (const [, href = ""] of html.matchAll(/ href="([^"]*)"/g)) {
      const target = new URL(href, `http://service${path}`);
      if (target.host !== "service") continue;
      requested.add(target.pathname + target.hash);
      if (!seen.has(target.pathname) && !open.includes(target.pathname) && target.pathname !== "/")
        open.push(target.pathname);
    }
  }
  expect(seen.size).toBeGreaterThan(15);
  const pictures = [...seen].flatMap(([, html]) =>
    [...html.matchAll(/<img src="([^"]*)" alt="[^"]+"/g)].map(([, src = ""]) => src),
  );
  expect(pictures.length).toBeGreaterThan(5);
  for (const src of pictures) {
    const picture = await fetch(`http://127.0.0.1:${port}${src}`);
    expect([picture.status, picture.headers.get("content-type")]).toStrictEqual([200, "image/png"]);
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect(bytes.subarray(0, 8)).toStrictEqual(Buffer.from("89504e470d0a1a0a", "hex"));
    expect(bytes.length).toBe(Number(picture.headers.get("content-length")));
  }
  const dead = [...requested].filter((target) => {
    const [path = "", anchor] = target.split("#");
    return anchor !== undefined && !seen.get(path)?.includes(`id="${decodeURIComponent(anchor)}"`);
  });
  expect(dead).toStrictEqual([]);
});
