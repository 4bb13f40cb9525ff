// Public pages in a real browser: readable by everybody, embedded in pages of another origin, and published and changed
// on the page Public page.
import { createServer } from "node:http";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { actsInTime } from "../../support/acts-in-time.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { listenLocally } from "../../support/listen-locally.ts";
import { until } from "../../support/until.ts";
import { describePages, expectUsable } from "./browser.ts";
import { chooseIn, fill, openPage, press, submit } from "./steps.ts";
import { useClan } from "./use-clan.ts";

const { dashboard, port, api, clan, owner, pages } = await useClan();
const { world, cli, url } = dashboard;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];
const NAMES = ["\u0639\u0628\u062f \u0627\u0644\u0644\u0647 (3)", "\u6771\u4eac\u306e\u732b", "W".repeat(64), "Ada"];

async function published(...options: string[]) {
  const own = await makeClanCaller(world, port);
  const { answer } = await cli.json("clan", "publish", own.clanId, "--names", "on", ...options);
  return { own, path: new URL(answer.url).pathname };
}

/** Everything that axe finds, also what is not serious. What lies behind an embed decides about its contrast. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const isEmbed = new URL(page.url()).pathname.endsWith("/embed");
  const options = { rules: { "color-contrast": { enabled: !isEmbed } } };
  return page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`,
  );
}

const WIDTH = "document.documentElement.scrollWidth";

describePages("a public page", (browser) => {
  test("is readable in both colors, on every screen, with large text, long names and other directions, and as a list", async () => {
    const { own, path } = await published();
    const { path: empty } = await published();
    await cli.json("board", "set", own.clanId, "daily", "--every", "day", "--name", "Every day");
    await own.awards(NAMES.map((_, index) => ({ platformId: `p${index}`, amount: index < 2 ? 987_654 : 5 })));
    await own.post("/names", { names: NAMES.map((name, index) => ({ platformId: `p${index}`, name })) });
    await until(async () => (await own.get("/boards/daily/periods/current/members")).body.members?.length === 4);
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.open({ colorScheme });
      for (const each of [path, `${path}/boards/daily`, `${path}/embed`, empty, "/c/nobody"]) {
        await page.goto(`${url}${each}`);
        for (const size of SIZES) {
          await page.setViewportSize(size);
          expect([each, size.width, await page.evaluate(WIDTH)]).toEqual([each, size.width, size.width]);
          expect([each, await faultsOf(page)]).toEqual([each, []]);
        }
      }
      await page.goto(`${url}${path}`);
      // On a phone, the XP is beside the name, and the rank below it; else ranks are one below the other.
      const tops = (selector: string) =>
        page.evaluate(`[...document.querySelectorAll("ol ${selector}")].map((one) => one.getBoundingClientRect().y)`);
      expect(await tops(".number")).toStrictEqual(await tops(".name"));
      await page.setViewportSize({ width: 1280, height: 800 });
      const lefts = await page.evaluate(
        `[...document.querySelectorAll("ol .note")].map((one) => one.getBoundingClientRect().x)`,
      );
      expect(lefts).toStrictEqual(NAMES.map(() => expect.closeTo((lefts as number[])[0] ?? 0)));
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      expect(await page.evaluate(WIDTH)).toBe(1280);
      const rows = page.getByRole("list").getByRole("listitem");
      const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
      for (const [index, name] of NAMES.entries())
        expect(texts).toContainEqual(expect.stringContaining(`${index < 2 ? 1 : 3} ${name} `));
      // The number of the row is on its left, whatever the direction of the name.
      const row = page.getByRole("listitem").filter({ hasText: NAMES[0] ?? "" });
      const [number, player] = [await row.locator(".position").boundingBox(), await row.locator(".name").boundingBox()];
      expect(number?.x).toBeLessThan(player?.x ?? 0);
      await page.goto(`${url}${path}`);
      await page.getByRole("link", { name: "Every day" }).click();
      await page.getByRole("heading", { level: 1, name: "Every day" }).waitFor();
      await page.getByRole("link", { name: "Test" }).click();
      await page.getByRole("heading", { level: 1, name: "Test" }).waitFor();
    }
  });

  test("is embedded by the web sites that its owner permits, and by no other", async () => {
    const { own, path } = await published();
    await own.award("p", { amount: 7 });
    const html = `<!doctype html><title>Site</title><style>body { background: red }</style><iframe src="${url}${path}/embed?theme=light"></iframe>`;
    const site = await listenLocally(createServer((_, res) => res.setHeader("content-type", "text/html").end(html)));
    onTestFinished(() => site.close());
    // Another origin than the dashboard's, whose host is 127.0.0.1.
    const origin = `http://localhost:${new URL(site.url).port}`;
    /** A visitor of the site who has seen no other: browsers store the page for some seconds. */
    async function visit(address: string) {
      const page = await browser.open({});
      await page.goto(address);
      return { page, row: page.frameLocator("iframe").getByText("Player 1") };
    }
    const before = await visit(origin);
    await expect.poll(() => browser.takeComplaints().join(" ")).toMatch(/frame-ancestors 'none'/);
    expect(await before.row.count()).toBe(0);
    await cli.json("clan", "publish", own.clanId, "--frames", origin);
    await actsInTime(async () => {
      const policy = (await fetch(`${url}${path}/embed`)).headers.get("content-security-policy");
      return policy?.includes(origin) ?? false;
    });
    const { page, row } = await visit(origin);
    await row.waitFor();
    const back = await page.frames()[1]?.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(back).toBe("rgba(0, 0, 0, 0)");
    const other = await visit(site.url);
    await expect.poll(() => browser.takeComplaints().join(" ")).toMatch(/frame-ancestors http:/);
    expect(await other.row.count()).toBe(0);
  });

  test("is previewed, published, changed and unpublished by an owner, each at once", async () => {
    await clan.award("4711", { amount: 1_500 });
    await clan.post("/names", { names: [{ platformId: "4711", name: "Grace" }] });
    const page = await browser.openAs("ada", `${pages}/overview`);
    await openPage(page, "Public page");
    const preview = page.frameLocator("iframe");
    await preview.getByText("Player 1").waitFor();
    await fill(page, { Names: true });
    await preview.getByText("Grace").waitFor();
    await submit(page, { Address: "No!" }, "Publish");
    await page.getByText(/^Address must have 3 to 40 characters/).waitFor();
    await submit(page, { Address: "graces-clan" }, "Publish");
    for (const name of ["Copy link", "Copy code"]) await page.getByRole("button", { name }).waitFor();
    const visitor = await browser.open({});
    await visitor.goto(`${url}/c/graces-clan`);
    await visitor.getByText("Grace").waitFor();
    // The second one while the first is being stored.
    await fill(page, { "Search engines": true, Embedding: true });
    await submit(page, { "Web sites": "http://a.example" }, "Save web sites");
    await page.getByText(/^Each of them must be an origin/).waitFor();
    await submit(page, { "Web sites": "https://a.example" }, "Save web sites");
    const settings = async () => (await owner.get(`${api}/public-page`)).body.settings;
    await until(async () => (await settings()).frames[0] === "https://a.example");
    expect((await settings()).index).toBe(true);
    await expectUsable(page);

    await openPage(page, "Members");
    await chooseIn(page.getByRole("row", { name: /Grace/ }), "Hide on public page");
    await page.getByText("is hidden on the public page").waitFor();
    await openPage(page, "Public page");
    await preview.getByText("Hidden player").waitFor();
    const hidden = page.getByRole("table", { name: "Hidden players" });
    await hidden.getByRole("row", { name: /Grace.*an owner/ }).waitFor();
    await press(hidden, "Show again");
    await page.getByText("Nobody is hidden.").waitFor();

    await press(page, "Unpublish");
    await press(page.getByRole("dialog"), "Unpublish");
    await page.getByRole("heading", { name: "Not published" }).waitFor();
    await actsInTime(async () => (await fetch(`${url}/c/graces-clan`)).status === 404);
  });
});
