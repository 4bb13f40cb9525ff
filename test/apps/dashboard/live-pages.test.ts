// Open pages while the world changes: what others do, a slow network, MongoDB gone and back, a session that ends
// elsewhere.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { openProxies, type Proxies } from "../../support/proxies.ts";
import { expectReadable, noBrowser, signIn, useBrowser } from "./browser.ts";
import { PASSWORD, useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();

describe.skipIf(noBrowser !== null)("open pages", { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let clan: ClanCaller;
  let proxies: Proxies;
  beforeAll(async () => {
    proxies = await openProxies(dashboard.world);
    const { port } = await dashboard.world.startApi();
    clan = await makeClanCaller(dashboard.world, port);
    await dashboard.signedIn("ada", "owner", clan.clanId);
    await clan.award("first", { amount: 200 });
  });
  afterAll(async () => {
    await proxies?.close();
  });

  const open = (page: string, url = dashboard.url, name = "ada"): Promise<Page> =>
    browser.openAs(name, `${url}/clans/${clan.clanId}/${page}`);

  /** Goes back in the browser, is asked, and stays. */
  async function stayAfterBack(page: Page): Promise<void> {
    await page.evaluate("history.back()");
    await page.getByRole("dialog", { name: "Leave this page?" }).getByRole("button", { name: "Stay" }).click();
  }

  test("show changes of other people, but keep edits in progress, which cannot overwrite those changes", async () => {
    const [ada, other] = await Promise.all([open("ranks"), open("ranks")]);
    await other.getByRole("row", { name: "Rank Veteran" }).getByLabel("Threshold").fill("900");
    await ada.getByRole("row", { name: "Rank Recruit" }).getByLabel("Name").fill("Rookie");
    await ada.getByRole("button", { name: "Save" }).click();
    await ada.getByText("Ranks saved").first().waitFor();
    await other.getByText("Somebody else changed the ranks").waitFor();
    expect(await other.getByRole("row", { name: "Rank Veteran" }).getByLabel("Threshold").inputValue()).toBe("900");
    await expectReadable(other);
    await other.getByRole("button", { name: "Discard edits" }).click();
    await other.getByRole("row", { name: "Rank Rookie" }).waitFor();

    await Promise.all([ada, other].map((page) => page.getByRole("link", { name: "API keys" }).click()));
    await ada.getByRole("button", { name: "Create key" }).click();
    await ada.getByLabel("Name").fill("seen elsewhere");
    await ada.getByRole("button", { name: "Create", exact: true }).click();
    await other.getByRole("row", { name: /seen elsewhere/ }).waitFor();
  });

  test("show a viewer the events as they happen, by type and by member, and as a file", async () => {
    await dashboard.world.startWorker();
    await dashboard.signedIn("vic", "viewer", clan.clanId);
    const page = await open("events", dashboard.url, "vic");
    const first = page.getByRole("row", { name: /member\.joined.*first.*joined as Recruit, 200 XP/ });
    await first.waitFor();
    expect(await page.getByRole("columnheader").allTextContents()).toEqual([
      "Time",
      "Event",
      "Member",
      "Change",
      "Deliveries",
    ]);
    await clan.post("/names", { names: [{ platformId: "live", name: "Liv Ullman" }] });
    await clan.award("live", { amount: 1_250 });
    const risen = page.getByRole("row", { name: /rank_changed.*Liv Ullman.*live.*up from Guest to .*, 1,250 XP/ });
    await risen.waitFor();
    await page.getByLabel("Type").selectOption("key.created");
    await page.getByRole("row", { name: /key\.created.*none.*API key test/ }).waitFor();
    await risen.waitFor({ state: "detached" });
    await page.getByLabel("Type").selectOption("");
    await page.getByLabel("Search members").fill("none-such");
    await page.getByText("No events found.").waitFor();
    await page.getByLabel("Search members").fill("liv");
    await risen.waitFor();
    expect(await first.count()).toBe(0);
    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export" }).click();
    expect((await file).suggestedFilename()).toBe(`${clan.clanId}-events.csv`);
  });

  test("show that they load over a slow network, apply a pending change once, and do not lose its secret", async () => {
    const page = await open("members");
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("row", { name: /test/ }).first().waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(/\/api\/clans\/[^/]+\/keys$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    // The page gives up a request after 20 s, in which a busy machine does not do all that follows.
    await page.evaluate("AbortSignal.timeout = () => new AbortController().signal");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name").fill("slow");
    await page.keyboard.press("Enter");
    const create = page.getByRole("button", { name: "Create", exact: true });
    await expect.poll(() => create.isDisabled()).toBe(true);
    expect(await create.getAttribute("aria-busy")).toBe("true");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await stayAfterBack(page);
    expect(await page.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
    // Disabled for a browser, a button would lose the focus.
    expect(await page.evaluate("document.querySelector('[role=dialog] [type=submit]').disabled")).toBe(false);
    await expectReadable(page);
    const elsewhere = await page.context().newPage();
    await elsewhere.route(/\/api\/clans\/[^/]+\/members$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await elsewhere.goto(`${dashboard.url}/clans/${clan.clanId}/members`);
    await elsewhere.getByRole("status").getByText("Loading the members").waitFor();
    await expectReadable(elsewhere);
    held.resolve();
    await elsewhere.getByRole("link", { name: "first" }).waitFor();
    const field = page.getByLabel("API key", { exact: true });
    await field.waitFor();
    await stayAfterBack(page);
    // As where the page came over plain HTTP from another machine.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByText("It is selected: press Ctrl+C").waitFor();
    expect(await page.evaluate("getSelection().toString()")).toBe(await field.inputValue());
    await expectReadable(page);
    const keys = await dashboard.world.keys.listOfClan(clan.clanId);
    expect(keys.filter(({ name }) => name === "slow")).toHaveLength(1);
  });

  test("load once more if their code does not arrive, as when the device changes its network", async () => {
    const page = await browser.open();
    const failed = new Set<string>();
    await page.route(/\/assets\/(frame|members-page)-[^/]*\.js$/, (route) => {
      const url = route.request().url();
      if (failed.has(url)) return route.continue();
      failed.add(url);
      return route.abort("connectionreset");
    });
    await signIn(page, `${dashboard.url}/clans/${clan.clanId}/members`, "ada");
    await page.getByRole("link", { name: "first" }).waitFor();
    expect(failed.size).toBe(2);
  });

  test("do not apply a cancelled change later, and do not trust responses of another server", async () => {
    const page = await open("members/first");
    await page.getByRole("button", { name: "Give XP" }).click();
    await page.getByLabel("Amount").fill("77");
    await page.getByLabel("Reason").fill("without a network");
    await page.context().setOffline(true);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("The dashboard cannot be reached.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.context().setOffline(false);
    await clan.award("first", { amount: 1, reason: "later" });
    await page.getByRole("row", { name: /later/ }).waitFor();
    const { body } = await clan.get("/members/first/ledger");
    expect(body.entries.map(({ reason }: { reason?: string }) => reason)).not.toContain("without a network");

    await page.route("**/api/me", (route) => route.fulfill({ contentType: "text/html", body: "<h1>Hotel</h1>" }));
    await page.reload();
    await page.getByText("not in the form that this page expects").waitFor();
    expect(await page.getByRole("heading", { name: "Sign in" }).count()).toBe(0);
  });

  test("keep their data and show an error while MongoDB is unavailable, and recover automatically", async () => {
    const url = await dashboard.startAnother({ changes: proxies.config });
    const page = await open("members", url);
    await page.getByRole("link", { name: "first" }).waitFor();
    proxies.mongo.rejectConnections(true);
    proxies.mongo.reset();
    const alert = page.getByRole("alert");
    await alert.getByText(/^Request/).waitFor({ timeout: 40_000 });
    expect(await page.getByRole("link", { name: "first" }).isVisible()).toBe(true);
    await expectReadable(page);
    proxies.mongo.rejectConnections(false);
    await alert.waitFor({ state: "detached", timeout: 40_000 });
    await clan.award("second", { amount: 300 });
    await page.getByRole("link", { name: "second" }).waitFor();
  });

  test("end their session after a password change in another browser, and hide the clan's data", async () => {
    await dashboard.signedIn("bea", "viewer", clan.clanId);
    const [first, second] = await Promise.all([open("members", undefined, "bea"), open("members", undefined, "bea")]);
    await Promise.all([first, second].map((page) => page.getByRole("link", { name: "first" }).waitFor()));
    await second.getByRole("link", { name: "bea" }).click();
    await second.getByLabel("Current password").fill(PASSWORD);
    await second.getByLabel("New password").fill(`${PASSWORD} 2`);
    await second.getByRole("button", { name: "Change password" }).click();
    await second.getByText("Password changed").first().waitFor();
    await first.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await first.content()).not.toContain("first</a>");
  });
});
