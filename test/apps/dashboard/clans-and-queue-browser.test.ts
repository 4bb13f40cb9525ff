// Clans and the queue as an operator uses them in a real browser.
import { beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { expectReadable, noBrowser, useBrowser } from "./browser.ts";
import { PASSWORD, useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();

describe.skipIf(noBrowser !== null)("an operator", { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let clan: ClanCaller;
  beforeAll(async () => {
    const { port } = await dashboard.world.startApi();
    clan = await makeClanCaller(dashboard.world, port, { clanId: "a-first", name: "First" });
    await dashboard.signedIn("ops", "operator");
  });

  const open = (path: string): Promise<Page> => browser.openAs("ops", `${dashboard.url}${path}`);
  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  const current = (page: Page) => page.getByRole("navigation").locator("[aria-current=page]").allTextContents();

  test("creates a clan, finds and opens it, renames it with Undo, and sees an error for one that does not exist", async () => {
    const page = await open("/");
    await heading(page, "Overview");
    const links = await page.getByRole("navigation").getByRole("link").allTextContents();
    expect(links).toEqual([
      "Overview",
      "Members",
      "Boards",
      "Boosts",
      "Ranks",
      "API keys",
      "People",
      "Batches",
      "Events",
      "Destinations",
      "Audit log",
      "Clans",
      "Queue",
    ]);
    await page.getByRole("link", { name: "Clans" }).click();
    await heading(page, "Clans");
    await page.getByRole("link", { name: "First" }).waitFor();
    const headers = page.getByRole("table", { name: "Clans" }).getByRole("columnheader");
    expect(await headers.allTextContents()).toEqual(["Name", "Clan ID", "Kind", "Ranks"]);
    expect(await current(page)).toEqual(["Clans"]);

    await page.getByRole("button", { name: "Create clan" }).click();
    await page.getByRole("textbox", { name: "Clan ID" }).fill("no spaces");
    await page.keyboard.press("Enter");
    await page.getByText("Clan ID must be 1 to 64 characters").waitFor();
    await page.getByRole("textbox", { name: "Clan ID" }).fill("a-first");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    // At its field, and nowhere else.
    await page.getByText("Clan ID is the id of another clan").waitFor();
    expect(await page.getByRole("alert").allInnerTexts()).toEqual(["Clan ID is the id of another clan"]);
    await expectReadable(page);
    expect(await page.evaluate("document.activeElement.value")).toBe("a-first");
    await page.getByRole("textbox", { name: "Clan ID" }).fill("rovers");
    await page.getByText("Clan ID is the id of another clan").waitFor({ state: "detached" });
    await page.getByLabel("Name", { exact: true }).fill("The Rovers");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await heading(page, "Ranks");
    expect(page.url()).toContain("/clans/rovers/ranks");
    await page.getByRole("row", { name: "Rank Guest" }).waitFor();
    expect(await page.locator("header select").inputValue()).toBe("rovers");

    await page.getByRole("link", { name: "Clans" }).click();
    await page.getByLabel("Search clans").fill("ROVE");
    await page.getByRole("link", { name: "First" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Settings of The Rovers" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Rovers United");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Rovers United" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: "The Rovers" }).click();
    await heading(page, "Overview");
    expect(page.url()).toContain("/clans/rovers/overview");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.getByRole("link", { name: "Queue" }).click();
    await heading(page, "Queue");
    // The clan that was entered stays the one whose pages are offered.
    expect(await page.getByRole("link", { name: "Members" }).getAttribute("href")).toBe("/clans/rovers/members");

    await page.goto(`${dashboard.url}/clans/no-such-clan/members`);
    await heading(page, "Members");
    await page.getByText("There is no clan no-such-clan.").waitFor();
    await expectReadable(page);
  });

  test("pauses the queue, cancels a waiting batch, resumes the queue with Undo, and sees that it is empty", async () => {
    const page = await open("/queue");
    await heading(page, "Queue");
    await page.getByText("Nothing is waiting.").waitFor();
    await expectReadable(page);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("The queue is paused: workers finish").waitFor();
    const { body } = await clan.submit([{ platformId: "x", amount: 1 }], { prefer: "respond-async" });
    const row = page.getByRole("row", { name: body.batchId });
    await row.getByText("Waiting").waitFor();
    await page.getByText("No worker is connected").waitFor();
    await expectReadable(page);
    await row.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").getByText(body.batchId).waitFor();
    await expectReadable(page);
    await page.getByRole("button", { name: "Cancel batch" }).click();
    await page.getByText("Nothing is waiting.").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("The queue is paused: workers finish").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("Nothing to retry").first().waitFor();
  });

  test("invites an owner with a link that is shown once, renews the link, and removes the account", async () => {
    const page = await open("/clans");
    await page.getByRole("button", { name: "Invite person" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Ada@Example.com");
    await page.getByRole("dialog").getByLabel("Clan", { exact: true }).selectOption("a-first");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    const link = await page.getByLabel("Link", { exact: true }).inputValue();
    await expectReadable(page);
    await page.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row", { name: /ada@example\.com owner of a-first Invited never/ });
    await row.waitFor();
    expect(await page.content()).not.toContain(link.slice(-20));

    const ada = await browser.open();
    await ada.goto(link);
    await ada.getByLabel("New password").fill(PASSWORD);
    await ada.getByRole("button", { name: "Set password and sign in" }).click();
    await heading(ada, "Overview");
    await page.getByRole("row", { name: /ada@example\.com owner of a-first Active/ }).waitFor();
    await page.getByRole("button", { name: "Remove ada@example.com" }).click();
    await page.getByRole("button", { name: "Remove account" }).click();
    await row.waitFor({ state: "detached" });
    await ada.getByRole("heading", { name: "Sign in" }).waitFor();
  });
});
