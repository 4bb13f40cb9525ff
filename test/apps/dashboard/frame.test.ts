// What every page shares, in a real browser: the palette, the theme, sorted lists, and
// the question before edits are lost. The walk over all pages: every-page.test.ts.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { root } from "../../../scripts/paths.js";
import { describePages, expectReadable, expectUsable } from "./browser.ts";
import { fill, openAccountMenu, press, shows } from "./steps.ts";
import { useClan } from "./use-clan.ts";

const API_URL = "https://xp.example.com";
const LONG = "a long name that goes on and on, until no column of any table can show all of it";
const { dashboard, clan, api, pages, owner } = await useClan({ name: "Night Owls" });
await dashboard.signedIn("ops", "operator");

describePages("every page", (browser) => {
  beforeAll(async () => {
    await clan.award("riser", { amount: 1_500, reason: LONG });
    await owner.post(`${api}/keys`, { name: LONG, scopes: ["read", "award"], expiresAt: null });
  }, 120_000);

  async function open(name: string, path = "overview"): Promise<Page> {
    const page = await browser.openAs(name, `${pages}/${path}`);
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    return page;
  }

  test("has an icon and the bundled font, and is found in the palette as members and clans are, without a mouse", async () => {
    const { clan: other } = await dashboard.world.makeClan({ name: "Day Larks" });
    const page = await open("ops");
    // The page listens to keys then.
    await shows(page, "Overview");
    const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    expect(await links.locator("svg").count()).toBe(await links.count());
    expect(await page.evaluate("document.fonts.ready.then(() => document.fonts.check('15px Inter'))")).toBe(true);
    const field = page.getByRole("combobox", { name: "Search pages, members, actions and clans" });
    const options = page.getByRole("option");
    await page.keyboard.press("Control+k");
    await field.waitFor();
    expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe("combobox");
    expect(await options.count()).toBeGreaterThan(8);
    await expectUsable(page);
    await page.keyboard.type("audit");
    await expect.poll(() => options.allTextContents()).toEqual(["Audit log"]);
    await page.keyboard.press("Enter");
    await shows(page, "Audit log");

    await page.keyboard.press("Control+k");
    await field.waitFor();
    await page.keyboard.type("rise");
    await page.getByRole("option", { name: /riser/ }).waitFor();
    await expect.poll(() => options.count()).toBe(1);
    await page.keyboard.press("Enter");
    await shows(page, "riser");

    await press(page, "Go to");
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
    for (const key of ["ArrowDown", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    await page.waitForURL(`**/clans/${other.clanId}/overview`);
  });

  test("has the colors that the person chose in this browser, from the first moment and until they choose others", async () => {
    const page = await open("ada");
    const background = () => page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
    const [light, dark] = ["rgb(247, 247, 249)", "rgb(15, 17, 22)"];
    const theme = page.getByRole("group", { name: "Theme" });
    await openAccountMenu(page);
    expect(await theme.getByRole("radio", { name: "System" }).isChecked()).toBe(true);
    expect(await background()).toBe(light);
    await theme.getByText("Dark").click();
    expect(await background()).toBe(dark);
    await expectReadable(page);
    // The scripts of the app never arrive: what the browser shows first is dark already.
    await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
    await page.reload({ waitUntil: "domcontentloaded" });
    expect(await background()).toBe(dark);
    await page.unroute(/\/assets\/.*\.js$/);
    await page.reload();
    await openAccountMenu(page);
    await theme.getByRole("radio", { name: "Light" }).check();
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await background()).toBe(light);
    await theme.getByRole("radio", { name: "Light" }).press("ArrowLeft");
    expect(await background()).toBe(dark);
    expect(await page.evaluate("localStorage.length")).toBe(0);
  });

  test("is left for a dialog of any page, another theme or the sign-in by an action of the palette", async () => {
    const page = await open("ada");
    await shows(page, "Overview");
    const options = page.getByRole("option");
    async function choose(action: string): Promise<void> {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search pages, members, actions and clans" }).waitFor();
      await page.keyboard.type(action);
      await expect.poll(() => options.allTextContents()).toEqual([action]);
      await page.keyboard.press("Enter");
    }
    for (const action of ["Create key", "Import CSV", "Add board", "Add boost", "Invite person", "Add destination"]) {
      await choose(action);
      const dialog = page.getByRole("dialog", { name: action });
      await dialog.waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    // Once.
    await page.reload();
    await shows(page, "Destinations");
    await page.getByText("No destinations yet.").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);

    await choose("Give XP");
    await page.keyboard.type("rise");
    await page.getByRole("option", { name: /riser/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/members/riser");
    const give = page.getByRole("dialog", { name: /^Give XP/ });
    await give.waitFor();
    await page.keyboard.press("Escape");
    await give.waitFor({ state: "detached" });
    await choose("Dark theme");
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await choose("Theme of the system");
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBeUndefined();
    await choose("Sign out");
    await page.getByRole("button", { name: "Sign in" }).waitFor();
  });

  test("has a menu of help: the guide of the page, which exists, shortcuts, also by ?, and the version", async () => {
    const url = await dashboard.startAnother({ changes: { apiUrl: API_URL } });
    const page = await browser.openAs("ada", `${url}/clans/${clan.clanId}/boards`);
    await shows(page, "Boards");
    await press(page, "Help");
    const guide = page.getByRole("link", { name: "Guide of this page" });
    expect(await guide.getAttribute("href")).toBe(`${API_URL}/docs/how-to/run-a-season`);
    expect(await page.getByRole("link", { name: "Documentation" }).getAttribute("href")).toBe(`${API_URL}/docs`);
    await page.getByText(/^Clan XP \d+\.\d+\.\d+/).waitFor();
    await expectUsable(page);
    await press(page, "Keyboard shortcuts");
    const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await shortcuts.getByText("Ctrl K").waitFor();
    await expectUsable(page);
    await page.keyboard.press("Escape");
    await shortcuts.waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await shortcuts.waitFor();
    const text = readFileSync(join(root, "apps", "dashboard", "web", "page-guides.ts"), "utf8");
    const guides = [...text.matchAll(/"([a-z-]+)"[,;]/g)].map(([, name = ""]) => `${name}.md`);
    expect(guides.length).toBeGreaterThan(15);
    const existing = new Set(readdirSync(join(root, "docs", "how-to")));
    expect(guides.filter((name) => !existing.has(name))).toEqual([]);
  });

  test("that lists everything at once sorts it by the header that the person selects", async () => {
    const page = await open("ada", "keys");
    const table = page.getByRole("table", { name: "Keys" });
    await table.getByRole("row", { name: /test/ }).waitFor();
    const first = () => table.getByRole("row").nth(1).getByRole("cell").first().innerText();
    const name = table.getByRole("columnheader", { name: "Name" });
    expect(await name.getAttribute("aria-sort")).toBeNull();
    await name.getByRole("button").press("Enter");
    expect([await name.getAttribute("aria-sort"), await first()]).toEqual(["ascending", LONG]);
    await name.getByRole("button").press("Enter");
    expect([await name.getAttribute("aria-sort"), await first()]).toEqual(["descending", "test"]);
  });

  test("with edits of the ranks shows them in a bar, asks before it is left, and keeps them until the person leaves", async () => {
    const page = await open("ada", "ranks");
    const veteran = page.getByRole("row", { name: "Rank Veteran" });
    await expect.poll(() => veteran.innerText()).toContain("1");
    const fields = page.getByLabel("Kind");
    const kinds = await fields.evaluateAll((all: any[]) => all.map(({ selectedOptions: [option] }) => option.text));
    expect(kinds).toEqual(["Guest", "By XP", "By XP", "By XP", "By appointment", "By appointment"]);
    await page.getByText("No changes").waitFor();
    const threshold = veteran.getByLabel("Threshold");
    expect(await threshold.inputValue()).toBe("1,000");
    await threshold.fill("10000");
    await press(page, "Save");
    // At its field, once, and without a request.
    await page.getByText("Another rank has this threshold").waitFor();
    expect(await page.getByRole("alert").count()).toBe(1);
    expect(await page.evaluate("document.activeElement.value")).toBe("10,000");
    await threshold.fill("1500");
    await fill(page, { "Auto Clan": false });
    await page.getByText("2 changes").waitFor();
    // The bar of changes shows wherever the page is scrolled to.
    await page.setViewportSize({ width: 390, height: 844 });
    for (const top of [0, 10_000]) {
      await page.evaluate(`scrollTo(0, ${top})`);
      const box = await page.getByRole("button", { name: "Save" }).boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
      expect(box?.y).toBeGreaterThan(56);
    }
    await page.setViewportSize({ width: 1440, height: 900 });

    const question = page.getByRole("dialog", { name: "Leave this page?" });
    const leave = async () => {
      await page.getByRole("link", { name: "Members", exact: true }).click();
      await question.waitFor();
    };
    await leave();
    await expectUsable(page);
    await press(question, "Stay");
    await question.waitFor({ state: "detached" });
    expect(await threshold.inputValue()).toBe("1500");
    await leave();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await leave();
    await press(question, "Leave");
    await shows(page, "Members");
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
