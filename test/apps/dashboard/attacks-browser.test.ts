// Attacks on the pages themselves, in a real browser: markup in everything that people and games name, frames of other
// sites, links that are opened at the wrong time, and a page that nobody looks at.
import { createServer } from "node:http";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { PERSON_HEADER } from "#contract/dashboard/person-header.ts";
import { describePages, LOADING } from "./browser.ts";
import { PASSWORD } from "./dashboard-world.ts";
import { listenLocally } from "../../support/listen-locally.ts";
import { press, shows, submit } from "./steps.ts";
import { useClan } from "./use-clan.ts";

/** Runs as a script in all the usual places, if anything takes it for markup. */
const MARKUP = `"'><img src=x onerror="hacked=1"><svg onload="hacked=1">`;

const ranks = [
  { name: "Guest", kind: "GUEST" },
  { name: `rank ${MARKUP}`, kind: "NORMAL", threshold: 10n },
] as const;
const { dashboard, clan, api, pages, owner: ada } = await useClan({ name: `clan ${MARKUP}`, ranks });
await dashboard.signedIn("ops", "operator");

describePages("the pages of the dashboard", (browser) => {
  beforeAll(async () => {
    const source = { placeId: `place ${MARKUP}`, matchId: `match ${MARKUP}` };
    const award = { amount: 50, reason: `reason ${MARKUP}`, source };
    await clan.award("p1", award);
    const batch = [
      { platformId: "p1", ...award },
      { platformId: MARKUP, amount: 1 },
    ];
    await clan.submit(batch, { prefer: "respond-async" });
    await ada.post(`${api}/keys`, { name: `key ${MARKUP}`, scopes: ["read"], expiresAt: null });
    const given = { amount: 5, reason: `given ${MARKUP}`, changeId: crypto.randomUUID() };
    await ada.post(`${api}/members/p1/xp`, given);
  }, 120_000);

  async function invite(name: string): Promise<string> {
    return (await dashboard.cli.json("account", "invite", name, "--clan", clan.clanId, "--role", "viewer")).answer.link;
  }

  test("show markup in names of clans, ranks and keys, in reasons and in sources as text", async () => {
    const page = await browser.openAs("ops", dashboard.url);
    await shows(page, "Overview");
    const shownOn: string[] = [];
    const expectClean = async (where: string) => {
      await page.waitForLoadState("networkidle");
      // That is a state of the document: on a page within the same one, what it shows may still be loaded.
      await expect.poll(() => page.locator(LOADING).count()).toBe(0);
      expect([where, await page.evaluate("typeof hacked")]).toEqual([where, "undefined"]);
      expect([where, await page.locator("img[src=x], svg[onload]").count()]).toEqual([where, 0]);
      const fields = await page.locator("input").evaluateAll((all: any[]) => all.map(({ value }) => value).join(" "));
      if (`${await page.locator("body").innerText()} ${fields}`.includes(MARKUP)) shownOn.push(where);
    };

    const names = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allTextContents();
    for (const name of names) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
      await expectClean(name);
    }
    await page.goto(`${pages}/members/p1`);
    await page.getByRole("row", { name: /given/ }).waitFor();
    // Of the first award, which has a source.
    await page.getByRole("button", { name: "Details" }).last().click();
    await page.getByText(`match ${MARKUP}`).waitFor();
    await expectClean("a member");
    await page.goto(`${pages}/batches`);
    await page.getByRole("link", { name: /^bat_/ }).click();
    await page.waitForURL(/\/batches\/bat_/);
    await expectClean("a batch");
    expect(shownOn).toEqual(expect.arrayContaining(["Overview", "Ranks", "API keys", "Audit log", "a member"]));
  });

  test("cannot be shown in a frame by another site", async () => {
    const site = createServer((_req, res) => {
      res.setHeader("content-type", "text/html");
      res.end(`<!doctype html><iframe src="${dashboard.url}/"></iframe>`);
    });
    const { url, close } = await listenLocally(site);
    onTestFinished(close);
    const page = await browser.open();
    await page.goto(url);
    await expect.poll(() => browser.takeComplaints().join()).toContain("frame-ancestors 'none'");
    expect(await page.frames()[1]?.locator("#root").count()).toBe(0);
  });

  test("use the newest of two links in the same tab, and a link still works after a network failure", async () => {
    const page = await browser.open();
    const [first, second, third] = [await invite("one"), await invite("two"), await invite("three")];
    await page.goto(first);
    await page.getByRole("heading", { name: "Welcome, one" }).waitFor();
    await page.goto(second);
    await page.getByRole("heading", { name: "Welcome, two" }).waitFor();
    expect(page.url()).toBe(`${dashboard.url}/link`);

    await page.route("**/api/link/look", (route) => route.abort("connectionreset"));
    await page.goto(third);
    await page.getByRole("heading", { name: "Link not opened" }).waitFor();
    await expect.poll(() => page.title()).toContain("Link not opened");
    await page.unroute("**/api/link/look");
    await press(page, "Try again");
    await page.getByRole("heading", { name: "Welcome, three" }).waitFor();
    await submit(page, { "New password": PASSWORD }, "Set password and sign in");
    await shows(page, "Overview");
    await page.goto(`${dashboard.url}/link#spent`);
    await page.getByRole("heading", { name: "Link not valid" }).waitFor();
    expect(await page.getByText(/Request req_/).count()).toBe(0);
  });

  test("say that a password is wrong, and refresh without a person, which does not keep the session alive", async () => {
    const page = await browser.open({});
    await page.clock.install();
    await page.goto(dashboard.url);
    await submit(page, { "Name or e-mail": "ada", Password: "wrong password" }, "Sign in");
    await page.getByRole("alert").waitFor();
    // Without a request ID, which nobody needs for it.
    expect(await page.getByRole("alert").innerText()).toBe("The name or the password is incorrect.");
    await submit(page, { Password: PASSWORD }, "Sign in");
    await shows(page, "Overview");
    // What the page still reads after its heading belongs to the person who signed in.
    await page.clock.fastForward("05:00");
    const headers: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/")) headers.push(request.headers()[PERSON_HEADER]);
    });
    await page.clock.fastForward("00:35");
    await expect.poll(() => headers.length).toBeGreaterThan(0);
    expect(headers.filter((header) => header !== undefined)).toEqual([]);

    await page.keyboard.press("Shift");
    headers.length = 0;
    await page.clock.fastForward("00:35");
    await expect.poll(() => headers.length).toBeGreaterThan(0);
    expect(new Set(headers)).toEqual(new Set(["active"]));
  });
});
