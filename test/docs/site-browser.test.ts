// The documentation site in a real browser, as the API serves it: under its Content-Security-Policy, without a request
// to any other host.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SITE_FOLDER } from "../../scripts/docs-site/built-site.ts";
import { expectUsable, noBrowser, useBrowser } from "../apps/dashboard/browser.ts";
import { until } from "../support/until.ts";
import { useSite } from "./use-site.ts";

const site = useSite();

describe("the API with the documentation site", () => {
  test("serves a page to people, and its Markdown to programs at the path with .md", async () => {
    const page = await site.anyone.get("/docs/how-to/roblox");
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const markdown = await site.anyone.get("/docs/how-to/roblox.md");
    const { headers: sent } = markdown;
    expect([sent.get("content-type"), sent.get("vary")]).toStrictEqual(["text/markdown; charset=utf-8", "accept"]);
    expect(markdown.body).toBe(readFileSync("docs/how-to/roblox.md", "utf8"));
    const headers = { accept: "text/html" };
    const browser = await fetch(`${site.url}/docs/how-to/roblox.md`, { headers, redirect: "manual" });
    expect([browser.status, browser.headers.get("location")]).toStrictEqual([302, "/docs/how-to/roblox"]);
  });

  test("names the public address of the pages, if one is set, in errors, in the deprecation and at /", async () => {
    const base = "https://docs.example.com/docs/";
    const { body } = await site.clan.get("/nothing");
    expect(body.type).toBe(`${base}reference/errors.md#not_found`);
    const { headers } = await site.clan.submit([{ platformId: "p", amount: 1 }]);
    expect(headers.get("link")).toContain(`<${base}how-to/migrate-from-batch-awards.md>; rel="deprecation"`);
    expect((await site.anyone.get("/")).body.errors).toBe(`${base}reference/errors.md`);
  });

  test.for(["/docs/../package.json", "/docs/..%2Fpackage.json", "/docs/.vitepress", "/docs/sources.sha256", "/docs/x"])(
    "serves nothing else: %s",
    async (path) => {
      expect((await site.anyone.get(path)).status).toBe(404);
    },
  );

  test("lets browsers keep what has its version in its name and compare the rest, and sends both compressed", async () => {
    const [asset = ""] = readdirSync(join(SITE_FOLDER, "assets")).filter((name) => name.endsWith(".js"));
    const caching = { [`/docs/assets/${asset}`]: /immutable/, "/docs/quick-start": /^no-cache$/ };
    for (const [path, expected] of Object.entries(caching)) {
      const { headers } = await site.anyone.get(path, { "accept-encoding": "gzip, deflate, br" });
      expect(headers.get("cache-control")).toMatch(expected);
      expect(headers.get("content-encoding")).toBe("br");
    }
  });

  test("has a page for every link of every page, and an element for every anchor", async () => {
    const seen = new Map<string, string>();
    const requested = new Set<string>();
    const open = ["/docs/"];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      const { status, headers, body } = await site.anyone.get(path, { accept: "text/html" });
      expect({ path, status }).toStrictEqual({ path, status: 200 });
      const html = headers.get("content-type")?.startsWith("text/html") ? String(body) : "";
      seen.set(path, html);
      // The policy would reject them.
      expect({ path, inline: html.match(/<script>|<script id|<style\b| style="/g) }).toStrictEqual({
        path,
        inline: null,
      });
      for (const [, href = ""] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
        const target = new URL(href.replaceAll("&amp;", "&"), site.url + path);
        if (target.origin !== site.url) continue;
        requested.add(target.pathname + target.hash);
        if (!seen.has(target.pathname) && !open.includes(target.pathname)) open.push(target.pathname);
      }
    }
    expect(seen.size).toBeGreaterThan(300);
    const dead = [...requested].filter((target) => {
      const [path = "", anchor] = target.split("#");
      return anchor !== undefined && !seen.get(path)?.includes(`id="${decodeURIComponent(anchor)}"`);
    });
    expect(dead).toStrictEqual([]);
  });
});

describe.skipIf(noBrowser !== null)("the documentation site", { timeout: 120_000 }, () => {
  const browser = useBrowser();

  test("sends an award from the page Try it, with a key that is stored nowhere", async () => {
    const page = await browser.open();
    await page.goto(`${site.url}/docs/reference/try-it`);
    await page.getByRole("button", { name: "Authorize" }).click();
    // The key goes into one header.
    expect(await page.locator(".auth-container").count()).toBe(1);
    await page.getByLabel("auth-bearer-value").fill(site.clan.key);
    await page.getByRole("button", { name: "Apply credentials" }).first().click();
    await page.getByRole("button", { name: "Close" }).first().click();
    expect(await page.locator("main.main").innerText()).not.toContain("documentation site");
    const award = page.locator(".opblock", { hasText: "/v0/clans/{clanId}/members/{platformId}/xp" }).first();
    await award.locator(".opblock-summary-control").click();
    expect(await award.getByPlaceholder("clanId").inputValue()).toBe("demo");
    await award.getByPlaceholder("clanId").fill(site.clan.clanId);
    expect(await award.getByPlaceholder("platformId").inputValue()).toBe("player-1");
    await award.locator("textarea").fill('{"amount": 150}');
    await award.getByRole("button", { name: "Execute" }).click();
    await award.locator(".live-responses-table").waitFor();
    await award.getByRole("button", { name: "Execute" }).click();
    await award.locator(".live-responses-table").getByText("idempotency-replayed").waitFor();
    expect((await site.clan.get("/members/player-1")).body.xp).toBe("150");
    // Another award has another key.
    await award.locator("textarea").fill('{"amount": 25}');
    await award.getByRole("button", { name: "Execute" }).click();
    await expect.poll(async () => (await site.clan.get("/members/player-1")).body.xp).toBe("175");
    const stored = await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])");
    expect(stored).not.toContain(site.clan.key);
    await page.reload();
    await page.locator(".opblock").first().waitFor();
    expect(await page.content()).not.toContain(site.clan.key);
  });

  test("shows one command in several languages as tabs, and stays on the page of a link", async () => {
    const page = await browser.open();
    await page.goto(`${site.url}/docs/quick-start`);
    const calls = {
      TypeScript: "await clan.award(",
      Luau: "clan:Award(",
      "C#": "await clan.AwardAsync(",
      GDScript: "await ClanXp.award(",
      curl: 'curl -s "$API/v0/clans/demo/members/player-1/xp"',
    };
    for (const [language, call] of Object.entries(calls)) {
      // A tab listens to clicks once the script of the page has run.
      await until(async () => {
        await page.locator(".vp-code-group .tabs").getByText(language, { exact: true }).click();
        return page.getByText(call).isVisible();
      });
      for (const other of Object.values(calls).filter((text) => text !== call))
        expect([language, other, await page.getByText(other).isVisible()]).toStrictEqual([language, other, false]);
    }
    await page.getByRole("link", { name: "Next page" }).click();
    await page.waitForURL(`${site.url}/docs/how-to/roblox`);
    await page.getByRole("heading", { level: 1, name: "Award XP from Roblox in 5 minutes" }).waitFor();
    await page
      .getByRole("link", { name: "ModuleScript" })
      .or(page.getByRole("link", { name: /init\.luau/ }))
      .first()
      .click();
    await page.waitForURL(`${site.url}/docs/source/clients/luau/src/init.luau`);
  });

  test.for([
    "",
    "quick-start",
    "reference/api",
    "reference/api/members",
    "reference/errors",
    "reference/try-it",
    "how-to/invite-people",
  ])("can be used in light, dark and on a phone: /docs/%s", async (path) => {
    const page = await browser.open();
    await page.goto(`${site.url}/docs/${path}`);
    if (path === "reference/try-it") await page.locator(".opblock").first().waitFor();
    await page.waitForLoadState("networkidle");
    await expectUsable(page);
  });
});
