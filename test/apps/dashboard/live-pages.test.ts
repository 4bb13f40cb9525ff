// Open pages while the world changes: what others do, a slow network, MongoDB gone and back, a session that ends
// elsewhere.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { openProxies } from "../../support/proxies.ts";
import { describePages, expectReadable, signIn } from "./browser.ts";
import { PASSWORD } from "./dashboard-world.ts";
import { fill, hold, openAccountMenu, openPage, press, submit } from "./steps.ts";
import { useClan } from "./use-clan.ts";

const { dashboard, clan, pages } = await useClan();
const proxies = await openProxies(dashboard.world);
afterAll(() => proxies.close());

describePages("open pages", (browser) => {
  beforeAll(() => clan.award("first", { amount: 200 }));

  const open = (page: string, name = "ada"): Promise<Page> => browser.openAs(name, `${pages}/${page}`);

  /** Goes back in the browser, is asked, and stays. */
  async function stayAfterBack(page: Page): Promise<void> {
    await page.evaluate("history.back()");
    await press(page.getByRole("dialog", { name: "Leave this page?" }), "Stay");
  }

  test("show changes of other people, but keep edits in progress, which cannot overwrite those changes", async () => {
    const [ada, other] = await Promise.all([open("ranks"), open("ranks")]);
    const veteran = other.getByRole("row", { name: "Rank Veteran" });
    await fill(veteran, { Threshold: "900" });
    await fill(ada.getByRole("row", { name: "Rank Recruit" }), { Name: "Rookie" });
    await press(ada, "Save");
    await ada.getByText("Ranks saved").first().waitFor();
    await other.getByText("Somebody else changed the ranks").waitFor();
    expect(await veteran.getByLabel("Threshold").inputValue()).toBe("900");
    await expectReadable(other);
    await press(other, "Discard edits");
    await other.getByRole("row", { name: "Rank Rookie" }).waitFor();

    await Promise.all([ada, other].map((page) => page.getByRole("link", { name: "API keys" }).click()));
    await press(ada, "Create key");
    await submit(ada, { Name: "seen elsewhere" }, "Create");
    await other.getByRole("row", { name: /seen elsewhere/ }).waitFor();
  });

  test("show a viewer the events as they happen, by type and by member, and as a file", async () => {
    await dashboard.world.startWorker();
    const page = await open("events", "vic");
    const first = page.getByRole("row", { name: /Joined.*first.*joined as Recruit, 200 XP/ });
    await first.waitFor();
    await clan.post("/names", { names: [{ platformId: "live", name: "Liv Ullman" }] });
    await clan.award("live", { amount: 1_250 });
    const risen = page.getByRole("row", { name: /Rank up.*Liv Ullman.*live.*up from Guest to .*, 1,250 XP/ });
    await risen.waitFor();
    await fill(page, { Type: "key.created" });
    await page.getByRole("row", { name: /API key created.*none.*API key test/ }).waitFor();
    await page.getByText("API key created", { exact: true }).last().click();
    await page.getByText("key.created", { exact: true }).waitFor();
    await risen.waitFor({ state: "detached" });
    await fill(page, { Type: "", "Search members": "none-such" });
    await page.getByText("No events found.").waitFor();
    await fill(page, { "Search members": "liv" });
    await risen.waitFor();
    expect(await first.count()).toBe(0);
    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export" }).click();
    expect((await file).suggestedFilename()).toBe(`${clan.clanId}-events.csv`);
  });

  test("show that they load over a slow network, apply a pending change once, and do not lose its secret", async () => {
    const page = await open("members");
    await openPage(page, "API keys");
    await page.getByRole("row", { name: /test/ }).first().waitFor();
    const release = await hold(page, /\/api\/clans\/[^/]+\/keys$/);
    // The page gives up a request after 20 s, in which a busy machine does not do all that follows.
    await page.evaluate("AbortSignal.timeout = () => new AbortController().signal");
    await press(page, "Create key");
    await submit(page, { Name: "slow" });
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
    const releaseMembers = await hold(elsewhere, /\/api\/clans\/[^/]+\/members$/);
    await elsewhere.goto(`${pages}/members`);
    await elsewhere.getByRole("status").getByText("Loading the members").waitFor();
    await expectReadable(elsewhere);
    releaseMembers();
    release();
    await elsewhere.getByRole("link", { name: "first" }).waitFor();
    const field = page.getByLabel("API key", { exact: true });
    await field.waitFor();
    await stayAfterBack(page);
    // As where the page came over plain HTTP from another machine.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await press(page, "Copy");
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
    await signIn(page, `${pages}/members`, "ada");
    await page.getByRole("link", { name: "first" }).waitFor();
    expect(failed.size).toBe(2);
  });

  test("do not apply a cancelled change later, and do not trust responses of another server", async () => {
    const page = await open("members/first");
    await press(page, "Give XP");
    await fill(page, { Amount: "77", Reason: "without a network" });
    await page.context().setOffline(true);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("The dashboard cannot be reached.").waitFor();
    await press(page, "Cancel");
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
    const page = await browser.openAs("ada", `${url}/clans/${clan.clanId}/members`);
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
    const [first, second] = await Promise.all([open("members", "bea"), open("members", "bea")]);
    await Promise.all([first, second].map((page) => page.getByRole("link", { name: "first" }).waitFor()));
    await openAccountMenu(second);
    await second.getByRole("link", { name: "Account and passkeys" }).click();
    await submit(second, { "Current password": PASSWORD, "New password": `${PASSWORD} 2` }, "Change password");
    await second.getByText("Password changed").first().waitFor();
    await first.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await first.content()).not.toContain("first</a>");
  });
});
