// What a reader of the documentation site does beside reading: search in other words, follow old links, choose a
// language once.
import { describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { noBrowser, useBrowser } from "../apps/dashboard/browser.ts";
import { until } from "../support/until.ts";
import { useSite } from "./use-site.ts";

const site = useSite();

describe.skipIf(noBrowser !== null)("the documentation site", { timeout: 120_000 }, () => {
  const browser = useBrowser();

  async function openSearch(): Promise<Page> {
    const page = await browser.open();
    await page.goto(`${site.url}/docs/`);
    // The page listens to keys once its script has run.
    await until(async () => {
      await page.keyboard.press("Control+k");
      return page.getByRole("searchbox").isVisible();
    });
    return page;
  }

  const queries: Record<string, string> = {
    "weekly leaderboard": "Boards",
    "how do i delete a player": "Erase a member",
    "double xp": "Double XP for a weekend",
    "undo an award": "Reverse awards",
    docker: "Run with Docker Compose",
    webhook: "Receive webhooks",
    "level up": "React to a rank-up",
    excel: "Import and export members",
    "duplicate award": "Retries and idempotency",
    https: "Terminate TLS",
    "how many players": "Scale",
    idempotency: "Retries and idempotency",
  };

  test("finds pages by the words of people who do not know ours, and decisions and changelogs last", async () => {
    const page = await openSearch();
    const results = page.getByRole("option");
    const found: Record<string, string> = {};
    for (const query of Object.keys(queries)) {
      await page.getByRole("searchbox").fill(query);
      await expect.poll(() => page.locator("mark").count(), { interval: 100 }).toBeGreaterThan(0);
      await expect.poll(() => results.first().innerText()).toContain(queries[query]);
      found[query] = (await results.first().innerText()).replace(/^#?\s*/, "").trim();
      const links = await results.evaluateAll((all) => all.map((one) => one.querySelector("a")?.getAttribute("href")));
      const isLast = links.map((link) => /\/decisions\/|CHANGELOG|\/contributing\//.test(link ?? ""));
      expect([query, isLast]).toStrictEqual([query, isLast.toSorted((a, b) => Number(a) - Number(b))]);
    }
    expect(found).toStrictEqual(queries);
  });

  test("finds a page by its content, and shows it", async () => {
    const page = await openSearch();
    await page.getByRole("searchbox").fill("idempotency_key_reused");
    await page.getByRole("option").first().click();
    await page.waitForURL(/\/docs\/.+/);
    // The address changes before the content does.
    await expect.poll(() => page.getByRole("main").innerText()).toContain("idempotency_key_reused");
  });

  test.for([
    ["reference/api.md#apply-an-award", "reference/api/awards#apply-an-award"],
    ["reference/api#response-list-standings", "reference/api/boards#response-list-standings"],
    ["reference/api#positions", "reference/api/members#positions"],
    ["reference/api#rate-limits", "reference/api#rate-limits"],
    ["reference/errors.md#idempotency_key_reused", "reference/errors#idempotency_key_reused"],
  ])("opens the section of an old link, or of the type of an error: %s", async ([link, section = ""]) => {
    const page = await browser.open();
    await page.goto(`${site.url}/docs/${link}`);
    await page.waitForURL(`${site.url}/docs/${section}`);
    const [, anchor] = section.split("#");
    const target = page.locator(`[id="${anchor}"]`).first();
    await target.waitFor({ state: "attached" });
    await expect.poll(() => target.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(400);
  });

  test("shows the language that was chosen on every page, also at the next visit", async () => {
    const page = await browser.open();
    const tab = (name: string) => page.locator(".vp-code-group .tabs").first().getByText(name, { exact: true });
    const isChosen = (name: string) => page.getByRole("radio", { name, checked: true }).count();
    await page.goto(`${site.url}/docs/reference/api/members`);
    // A tab listens to clicks once the script of the page has run.
    await until(async () => {
      await tab("Luau").click();
      return (await isChosen("Luau")) > 1;
    });
    const calls = "clan:GetMemberAsync(";
    expect(await page.getByText(calls).first().isVisible()).toBe(true);
    await page.goto(`${site.url}/docs/quick-start`);
    await page.getByText("clan:Award(").waitFor();
    await page.reload();
    await page.getByText("clan:Award(").waitFor();
  });

  test("says where nothing is that there is no page, and leads to all pages", async () => {
    const page = await browser.open();
    await page.goto(`${site.url}/docs/how-to/nothing`);
    await page.getByRole("heading", { name: "No page here" }).waitFor();
    expect(await page.getByRole("main").innerText()).not.toContain("direction");
    await page.getByRole("link", { name: "All pages" }).click();
    await page.getByRole("heading", { level: 1, name: "Documentation" }).waitFor();
  });

  test("begins with an award and its response", async () => {
    const page = await browser.open();
    await page.goto(`${site.url}/docs/`);
    expect(await page.getByRole("region", { name: "An award" }).innerText()).toContain("Idempotency-Key");
    expect(await page.getByRole("region", { name: "Its response" }).innerText()).toContain('"xp": "150"');
    expect(await page.locator(".VPFeature h2").nth(1).innerText()).toBe("Manage your clan");
  });
});
