// Clans and the queue as an operator uses them in a real browser.
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { describePages, expectReadable } from "./browser.ts";
import { fill, openPage, press, shows, submit } from "./steps.ts";
import { useClan } from "./use-clan.ts";

const { dashboard, clan } = await useClan({ clanId: "a-first", name: "First" });
await dashboard.signedIn("ops", "operator");

describePages("an operator", (browser) => {
  const open = (path: string): Promise<Page> => browser.openAs("ops", `${dashboard.url}${path}`);

  test("creates a clan, finds and opens it, renames it with Undo, and sees an error for one that does not exist", async () => {
    const page = await open("/");
    await shows(page, "Overview");
    const links = await page.getByRole("navigation").getByRole("link").allTextContents();
    const groups = ["Overview", "People", "Play", "Developers", "Operators"];
    const people = ["Members", "Awards", "People", "Audit log"];
    const play = ["Ranks", "Boards", "Boosts", "Public page"];
    const developers = ["API keys", "Events", "Destinations", "Batches"];
    expect(links).toEqual([groups[0], ...people, ...play, ...developers, "Clans", "Queue"]);
    const lists = page.getByRole("navigation").getByRole("list");
    expect(await lists.evaluateAll((all) => all.map((list) => list.ariaLabelledByElements?.[0]?.textContent))).toEqual([
      undefined,
      ...groups.slice(1),
    ]);
    await openPage(page, "Clans");
    await page.getByRole("link", { name: "First" }).waitFor();
    const current = page.getByRole("navigation").locator("[aria-current=page]");
    expect(await current.allTextContents()).toEqual(["Clans"]);

    await press(page, "Create clan");
    await submit(page, { "Clan ID": "no spaces" });
    await page.getByText("Clan ID must be 1 to 64 characters").waitFor();
    await submit(page, { "Clan ID": "a-first" }, "Create");
    // At its field, and nowhere else.
    await page.getByText("Clan ID is the id of another clan").waitFor();
    expect(await page.getByRole("alert").allInnerTexts()).toEqual(["Clan ID is the id of another clan"]);
    await expectReadable(page);
    expect(await page.evaluate("document.activeElement.value")).toBe("a-first");
    await fill(page, { "Clan ID": "rovers" });
    await page.getByText("Clan ID is the id of another clan").waitFor({ state: "detached" });
    await submit(page, { Name: "The Rovers" }, "Create");
    await shows(page, "Ranks");
    expect(page.url()).toContain("/clans/rovers/ranks");
    await page.getByRole("row", { name: "Rank Guest" }).waitFor();
    expect(await page.locator("header select").inputValue()).toBe("rovers");

    await page.getByRole("link", { name: "Clans" }).click();
    await fill(page, { "Search clans": "ROVE" });
    await page.getByRole("link", { name: "First" }).waitFor({ state: "detached" });
    await press(page, "Settings of The Rovers");
    await submit(page, { Name: "Rovers United" }, "Save");
    await page.getByRole("link", { name: "Rovers United" }).waitFor();
    await press(page, "Undo");
    await page.getByRole("link", { name: "The Rovers" }).click();
    await shows(page, "Overview");
    expect(page.url()).toContain("/clans/rovers/overview");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await openPage(page, "Queue");
    // The clan that was entered stays the one whose pages are offered.
    expect(await page.getByRole("link", { name: "Members" }).getAttribute("href")).toBe("/clans/rovers/members");

    await page.goto(`${dashboard.url}/clans/no-such-clan/members`);
    await shows(page, "Members");
    await page.getByText("There is no clan no-such-clan.").waitFor();
    await expectReadable(page);
  });

  test("pauses the queue, cancels a waiting batch, resumes the queue with Undo, and sees that it is empty", async () => {
    const page = await open("/queue");
    await shows(page, "Queue");
    await page.getByText("Nothing is waiting.").waitFor();
    await press(page, "Pause");
    await page.getByText("The queue is paused: workers finish").waitFor();
    const { body } = await clan.submit([{ platformId: "x", amount: 1 }], { prefer: "respond-async" });
    const row = page.getByRole("row", { name: body.batchId });
    await row.getByText("Waiting").waitFor();
    await page.getByText("No worker is connected").waitFor();
    await expectReadable(page);
    await row.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").getByText(body.batchId).waitFor();
    await expectReadable(page);
    await press(page, "Cancel batch");
    await page.getByText("Nothing is waiting.").waitFor();
    await press(page, "Resume");
    await page.getByText("The queue is paused: workers finish").waitFor({ state: "detached" });
    await press(page, "Retry");
    await page.getByText("Nothing to retry").first().waitFor();
  });
});
