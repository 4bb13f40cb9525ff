// What every page shares, in a real browser: the palette, the theme, the question before edits are lost, and lists and
// navigation on a phone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { root } from "../../../scripts/paths.js";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { expectUsable, noBrowser, openBrowser, signIn, type TestBrowser } from "./browser.ts";
import { makeDashboardWorld, type DashboardWorld } from "./dashboard-world.ts";

const LONG = "a long name that goes on and on, until no column of any table can show all of it";
/** Two lines of text, or one of text and one of small buttons, and the space around them. */
const TWO_LINES_PX = 78;
/** The rows that are higher than two lines, or wider than the screen; and how many rows there are. */
const ROWS = `(() => {
  const rows = [...document.querySelectorAll("tbody tr")];
  const odd = rows.filter((row) => {
    const { height, right } = row.getBoundingClientRect();
    return height > ${TWO_LINES_PX} || right > innerWidth;
  });
  return { all: rows.length, odd: odd.map((row) => row.innerText) };
})()`;

describe.skipIf(noBrowser !== null)("every page", { timeout: 120_000 }, () => {
  let dashboard: DashboardWorld;
  let browser: TestBrowser;
  let clan: ClanCaller;
  beforeAll(async () => {
    [dashboard, browser] = await Promise.all([makeDashboardWorld(), openBrowser()]);
    const { world } = dashboard;
    const { port } = await world.startApi();
    await world.startWorker();
    clan = await makeClanCaller(world, port, { name: "Night Owls" });
    const ada = await dashboard.signedIn("ada", "--clan", clan.clanId, "--role", "owner");
    await dashboard.signedIn("margaret.hamilton@games.example", "--clan", clan.clanId, "--role", "viewer");
    await dashboard.signedIn("ops", "--operator");
    await clan.award("riser", { amount: 1_500, reason: LONG });
    await clan.award("w".repeat(64), { amount: 1_000_000, reason: "x".repeat(150) });
    await clan.submit([
      { platformId: "riser", amount: 1 },
      { platformId: "nobody", amount: 2_000_000 },
    ]);
    const api = `/api/clans/${clan.clanId}`;
    const to = new Date(Date.now() + 86_400_000).toISOString();
    const made = await Promise.all([
      ada.post(`${api}/keys`, { name: LONG, scopes: ["read", "award"], expiresAt: to }),
      ada.post(`${api}/boosts`, {
        name: LONG,
        factor: "2",
        window: { kind: "times", from: null, to },
        ranks: ["Elite", "Veteran"],
        placeIds: ["1", "2"],
      }),
      ada.post(`${api}/destinations`, {
        kind: "webhook",
        name: LONG.slice(0, 60),
        url: `https://hooks.example/${"p".repeat(100)}`,
        types: ["member.rank_changed"],
      }),
    ]);
    if (made.some(({ status }) => status !== 200)) throw new Error(JSON.stringify(made.map(({ body }) => body)));
    await until(async () => (await ada.get(`${api}/events`)).body.events.length > 2);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await dashboard?.close();
  });

  async function open(name: string, path = `/clans/${clan.clanId}/overview`, width = 1440): Promise<Page> {
    const page = await browser.open({ viewport: { width, height: 844 } });
    await signIn(page, `${dashboard.url}${path}`, name);
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    return page;
  }

  const place = (page: Page) => page.evaluate<string>("location.pathname");

  test("is found by its name in the palette, and so are members and clans, without a mouse", async () => {
    const { clan: other } = await dashboard.world.makeClan({ name: "Day Larks" });
    const page = await open("ops");
    // The page listens to keys then.
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    const field = page.getByRole("combobox", { name: "Search pages, members and clans" });
    const options = page.getByRole("option");
    await page.keyboard.press("Control+k");
    await field.waitFor();
    expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe("combobox");
    expect(await options.count()).toBeGreaterThan(8);
    await expectUsable(page);
    await page.keyboard.type("audit");
    await expect.poll(() => options.allTextContents()).toEqual(["Audit log"]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();

    await page.keyboard.press("Control+k");
    await field.waitFor();
    await page.keyboard.type("rise");
    await page.getByRole("option", { name: /riser/ }).waitFor();
    await expect.poll(() => options.count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "riser" }).waitFor();

    await page.getByRole("button", { name: "Go to" }).click();
    await field.waitFor();
    await page.keyboard.type("larks");
    await page.getByRole("option", { name: /Day Larks/ }).waitFor();
    await page.keyboard.type(" and none");
    await page.getByText("Nothing is named").waitFor();
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await field.waitFor();
    // No clan ID contains it, as they are hexadecimal.
    await page.keyboard.type("day");
    await page.getByRole("option", { name: /Day Larks/ }).waitFor();
    await expect.poll(() => options.count()).toBe(1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect.poll(() => place(page)).toBe(`/clans/${other.clanId}/overview`);
    expect(browser.complaints()).toEqual([]);
  });

  test("has the colors that the person chose in this browser, from the first moment and until they choose others", async () => {
    const page = await open("ada");
    const background = () => page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
    const [light, dark] = ["rgb(247, 247, 249)", "rgb(15, 17, 22)"];
    const theme = page.getByRole("group", { name: "Theme" });
    expect(await theme.getByRole("radio", { name: "System" }).isChecked()).toBe(true);
    expect(await background()).toBe(light);
    await theme.getByText("Dark").click();
    expect(await background()).toBe(dark);
    await expectUsable(page);
    // The scripts of the app never arrive: what the browser shows first is dark already.
    await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
    await page.reload({ waitUntil: "domcontentloaded" });
    expect(await background()).toBe(dark);
    await page.unroute(/\/assets\/.*\.js$/);
    await page.reload();
    await theme.getByRole("radio", { name: "Light" }).check();
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await background()).toBe(light);
    await theme.getByRole("radio", { name: "Light" }).press("ArrowLeft");
    expect(await background()).toBe(dark);
    expect(await page.evaluate("localStorage.length")).toBe(0);
    expect(browser.complaints()).toEqual([]);
  });

  test("has an icon in the navigation and the bundled font, whose files come from the dashboard", async () => {
    const page = await open("ops");
    const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    const names = await links.allTextContents();
    expect(names.slice(0, 6)).toEqual(["Overview", "Members", "Boards", "Boosts", "Ranks", "API keys"]);
    expect(await links.locator("svg").count()).toBe(names.length);
    expect(await page.evaluate("document.fonts.ready.then(() => document.fonts.check('15px Inter'))")).toBe(true);
    expect(browser.complaints()).toEqual([]);
  });

  test("that lists everything at once sorts it by the header that the person selects", async () => {
    const page = await open("ada", `/clans/${clan.clanId}/keys`);
    const table = page.getByRole("table", { name: "Keys" });
    await table.getByRole("row", { name: /test/ }).waitFor();
    const first = () => table.getByRole("row").nth(1).getByRole("cell").first().innerText();
    const name = table.getByRole("columnheader", { name: "Name" });
    expect(await name.getAttribute("aria-sort")).toBeNull();
    await name.getByRole("button").press("Enter");
    expect([await name.getAttribute("aria-sort"), await first()]).toEqual(["ascending", LONG]);
    await name.getByRole("button").press("Enter");
    expect([await name.getAttribute("aria-sort"), await first()]).toEqual(["descending", "test"]);
    await expectUsable(page);
  });

  test("with edits of the ranks asks before it is left, and keeps them until the person leaves", async () => {
    const page = await open("ada", `/clans/${clan.clanId}/ranks`);
    await expect.poll(() => page.getByRole("row", { name: "Rank Veteran" }).innerText()).toContain("1");
    expect(await page.getByRole("table", { name: "Ranks" }).getByRole("columnheader").allTextContents()).toEqual([
      "Name",
      "Kind",
      "Threshold",
      "Members",
    ]);
    const kinds = await page
      .getByLabel("Kind")
      .evaluateAll((fields) =>
        fields.map((field) => (field as { selectedOptions?: { text: string }[] }).selectedOptions?.[0]?.text),
      );
    expect(kinds).toEqual(["Guest", "By XP", "By XP", "By XP", "By appointment", "By appointment"]);
    await page.getByText("No changes").waitFor();
    const threshold = page.getByRole("row", { name: "Rank Veteran" }).getByLabel("Threshold");
    expect(await threshold.inputValue()).toBe("1,000");
    await threshold.fill("10000");
    await page.getByRole("button", { name: "Save" }).click();
    // At its field, once, and without a request.
    await page.getByText("Another rank has this threshold").waitFor();
    expect(await page.getByRole("alert").count()).toBe(1);
    expect(await page.evaluate("document.activeElement.value")).toBe("10,000");
    await threshold.fill("1500");
    await page.getByRole("checkbox", { name: "Auto Clan" }).uncheck();
    await page.getByText("2 changes").waitFor();

    await page.getByRole("link", { name: "Members", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Leave this page?" });
    await question.waitFor();
    await expectUsable(page);
    await question.getByRole("button", { name: "Stay" }).click();
    await question.waitFor({ state: "detached" });
    expect(await threshold.inputValue()).toBe("1500");
    await page.getByRole("link", { name: "Members", exact: true }).click();
    await question.waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Members", exact: true }).click();
    await question.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();
    expect(browser.complaints()).toEqual([]);
  });

  test("shows its bar of changes wherever the page is scrolled to", async () => {
    const page = await open("ada", `/clans/${clan.clanId}/ranks`, 390);
    const save = page.getByRole("button", { name: "Save" });
    await save.waitFor();
    for (const top of [0, 10_000]) {
      await page.evaluate(`scrollTo(0, ${top})`);
      const box = await save.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
      expect(box?.y).toBeGreaterThan(56);
    }
  });

  test.each([
    ["ada", "overview"],
    ["ada", "members"],
    ["ada", "members/riser"],
    ["ada", "boosts"],
    ["ada", "keys"],
    ["ada", "people"],
    ["ada", "batches"],
    ["ada", "events"],
    ["ada", "destinations"],
    ["ada", "audit"],
    ["margaret.hamilton@games.example", "ranks"],
    ["ops", "/clans"],
  ])("of %s: the rows of %s take at most two lines of a phone, and the navigation 56 pixels", async (name, path) => {
    const page = await open(name, path.startsWith("/") ? path : `/clans/${clan.clanId}/${path}`, 390);
    await page.getByRole("row").last().waitFor();
    await page.waitForLoadState("networkidle");
    const { all, odd } = await page.evaluate<{ all: number; odd: string[] }>(ROWS);
    expect(all).toBeGreaterThan(0);
    expect(odd).toEqual([]);
    expect((await page.getByRole("banner").boundingBox())?.height).toBeLessThanOrEqual(56);
    expect((await page.getByRole("navigation", { name: "Pages" }).boundingBox())?.height).toBeLessThanOrEqual(56);
    await expectUsable(page);

    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Overview" }).waitFor();
    await expectUsable(page);
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.getByRole("link", { name: "Overview" }).waitFor({ state: "hidden" });
    expect(browser.complaints()).toEqual([]);
  });
});

test("the first page loads less than 150 KiB of compressed scripts", async () => {
  const folder = join(root, "apps", "dashboard", "dist");
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const scripts = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path = ""]) => path);
  expect(scripts.length).toBeGreaterThan(1);
  const sizes = scripts.map((path) => gzipSync(readFileSync(join(folder, path))).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150 * 1_024);
});
