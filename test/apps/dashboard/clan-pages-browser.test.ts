// Ranks, reversals, batches and the audit log as an owner and a viewer use them in a real browser.
import { beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { testActor } from "../../support/actor.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { whereIs } from "../../support/where-is.ts";
import { expectReadable, noBrowser, signIn, useBrowser } from "./browser.ts";
import { type Visitor, useDashboard } from "./dashboard-world.ts";

/** The notes about changes that cover something of the page. */
const NOTES_OVER_PAGE = `[...document.querySelectorAll("[role=group]:has([aria-label=Close])")]
  .filter((note) => note.getBoundingClientRect().right > document.querySelector("main").getBoundingClientRect().left)
  .map((note) => note.textContent)`;

const dashboard = await useDashboard();

describe.skipIf(noBrowser !== null)("the pages of a clan", { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let clan: ClanCaller;
  let ada: Visitor;
  beforeAll(async () => {
    const { world } = dashboard;
    const { port } = await world.startApi();
    await world.startWorker();
    clan = await makeClanCaller(world, port);
    ada = await dashboard.signedIn("ada", "owner", clan.clanId);
    await dashboard.signedIn("vic", "viewer", clan.clanId);
    await clan.award("riser", { amount: 500, reason: "match" });
    // Too little for a membership.
    await clan.award("cheater", { amount: 50, reason: "match" });
    await clan.award("wordy", { amount: 50, reason: "x".repeat(150) });
    const batch = [
      { platformId: "riser", amount: 1 },
      { platformId: "nobody-yet", amount: 2_000_000 },
    ];
    await clan.submit(batch, { prefer: "respond-async" });
    // The API has projected the awards then: the dashboard counts the members immediately.
    await clan.get("/members");
  }, 120_000);

  const open = (name: string, path = "/"): Promise<Page> => browser.openAs(name, `${dashboard.url}${path}`);

  async function openPage(page: Page, name: string): Promise<void> {
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  }

  const focused = (page: Page) => page.evaluate("document.activeElement.textContent");

  const storedRanks = async () => (await dashboard.world.clans.read([clan.clanId])).get(clan.clanId);

  test("let an owner preview and save ranks and Auto Clan, with a second confirmation if members are affected", async () => {
    const page = await browser.open();
    await signIn(page, dashboard.url, "ada");
    // The form that had the focus is gone.
    await expect.poll(() => focused(page)).toBe("Overview");
    await openPage(page, "Ranks");
    const veteran = page.getByRole("row", { name: "Rank Veteran" });
    await veteran.getByLabel("Threshold").fill("400");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("Of 1 member, 1 would rise, 0 would fall.").waitFor();
    await page.getByRole("checkbox", { name: "Auto Clan" }).uncheck();
    await expectReadable(page);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Ranks saved").first().waitFor();
    expect(await storedRanks()).toMatchObject({ autoClan: false });
    expect((await storedRanks())?.ranks).toContainEqual({ name: "Veteran", kind: "NORMAL", threshold: 400n });

    await veteran.getByLabel("Threshold").fill("600");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("select Save again").waitFor();
    expect((await storedRanks())?.ranks).toContainEqual({ name: "Veteran", kind: "NORMAL", threshold: 400n });
    await page.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () => (await storedRanks())?.ranks)
      .toContainEqual({ name: "Veteran", kind: "NORMAL", threshold: 600n });

    // Saved, and shown as it is stored.
    await page.getByRole("button", { name: "Discard edits" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove Elite" }).press("Enter");
    await expect.poll(() => focused(page)).toBe("Add rank");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/^Name must be 1 to 100 characters/).waitFor();
    expect(await page.evaluate("document.activeElement.ariaInvalid")).toBe("true");
    await page.getByRole("button", { name: "Discard edits" }).click();

    await openPage(page, "Audit log");
    await page.getByRole("row", { name: /ada changed the threshold of Veteran from 400 to 600/ }).waitFor();
  });

  test("let an owner reverse an award on the member's page, and both entries show it", async () => {
    const page = await open("ada", `/clans/${clan.clanId}/members/cheater`);
    await page.getByRole("row", { name: /match/ }).getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Reverse" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Takes back 50 XP").waitFor();
    await expectReadable(page);
    await dialog.getByLabel("Reason").fill("cheated");
    await dialog.getByRole("button", { name: "Reverse" }).click();
    await page.getByRole("row", { name: /cheated.*reverses/ }).waitFor();
    const reversed = page.getByRole("row", { name: /match.*reversed by/ });
    await reversed.waitFor();
    expect(await reversed.getByRole("button", { name: "Actions" }).count()).toBe(0);
  });

  test("undo given XP and an appointment with Undo, and copy IDs completely", async () => {
    const page = await open("ada", `/clans/${clan.clanId}/members/riser`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("slider", { name: "XP in the last 30 days" }).waitFor();
    await page.getByRole("button", { name: "Appoint" }).click();
    await page.getByLabel("Rank").selectOption("Officer");
    await page.getByRole("dialog").getByRole("button", { name: "Appoint" }).click();
    await page.getByText("Officer appointed").waitFor();
    // Notes are no dialogs: none is left while this one shows.
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Officer appointed").waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Give XP" }).click();
    const faults = () => page.getByRole("dialog").getByRole("alert").allInnerTexts();
    await page.getByLabel("Reason").fill("by mistake");
    for (const amount of ["1,5", "-5", "abc", "0"]) {
      await page.getByLabel("Amount").fill(amount);
      await page.keyboard.press("Enter");
      await page.getByText("Amount must be a whole number from 1 to 1,000,000").waitFor();
    }
    await page.getByLabel("Amount").fill("2,000,000");
    await page.keyboard.press("Enter");
    await page.getByText("At most 1,000,000 XP in one change").waitFor();
    expect(await faults()).toEqual(["At most 1,000,000 XP in one change"]);
    expect(await page.evaluate("document.activeElement.value")).toBe("2,000,000");
    await expectReadable(page);
    // The clan's bound was lowered since the page read it: what the server says is shown at the same place.
    await dashboard.world.clans.change(clan.clanId, { amountMax: 1_500 }, testActor);
    const large = () => ({ amount: 1_600, reason: "large", changeId: crypto.randomUUID() });
    const refused = async () => (await ada.post(`/api/clans/${clan.clanId}/members/probe/xp`, large())).status === 400;
    await until(refused);
    await page.getByLabel("Amount").fill("1,600");
    await page.keyboard.press("Enter");
    await page.getByText("At most 1,500 XP in one change").waitFor();
    expect(await faults()).toEqual(["At most 1,500 XP in one change"]);
    await page.getByLabel("Amount").fill("1,234");
    await page.getByRole("dialog").getByRole("alert").first().waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    const given = page.getByRole("row", { name: /by mistake.*ada/ });
    await given.getByText("+1,234").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    const undone = page.getByRole("row", { name: /by mistake.*reversed by/ });
    await undone.waitFor();
    await undone
      .getByRole("button", { name: /^Copy award ID/ })
      .first()
      .click();
    await page.getByText("Copied").first().waitFor();
    const { entries } = (await clan.get("/members/riser/ledger")).body;
    expect(entries[1].awardId).toBe(await page.evaluate("navigator.clipboard.readText()"));

    // One note at a time, beside the page and not over it, and none on the next page.
    await page.getByText("A worker takes it back").waitFor({ state: "detached" });
    await expectReadable(page);
    expect(await page.evaluate(NOTES_OVER_PAGE)).toEqual([]);
    await page.getByRole("link", { name: "Members", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();
    expect(await page.getByText("Copied").count()).toBe(0);
  });

  test("let an owner export what they read, and erase a member after typing their ID", async () => {
    await ada.post(`/api/clans/${clan.clanId}/members/leaver/membership`);
    await clan.award("leaver", { amount: 9, reason: "match" });
    const page = await open("ada", `/clans/${clan.clanId}/members`);
    const list = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export CSV" }).click();
    expect((await list).suggestedFilename()).toBe(`${clan.clanId}-members.csv`);
    await page.getByRole("link", { name: "leaver" }).click();
    await page.getByRole("button", { name: "Erase" }).waitFor();
    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export CSV" }).click();
    expect((await file).suggestedFilename()).toBe(`${clan.clanId}-leaver-ledger.csv`);
    await page.getByRole("button", { name: "Erase" }).click();
    const dialog = page.getByRole("dialog");
    const erase = dialog.getByRole("button", { name: "Erase", exact: true });
    expect(await erase.isDisabled()).toBe(true);
    await dialog.getByLabel("Type leaver to confirm").fill("leaver");
    await page.keyboard.press("Enter");
    await dialog.getByText(/^A worker/).waitFor();
    await expectReadable(page);
    await dialog.getByText("Erased. 2 entries were deleted.").waitFor({ timeout: 60_000 });
    expect(await whereIs(dashboard.world, "leaver")).toEqual([]);
    await expectReadable(page);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();
    await page.getByRole("link", { name: "leaver" }).waitFor({ state: "detached" });
  });

  test("let an owner add a member to a clan that is not an Auto Clan, and undo a new name of the clan", async () => {
    const { clanId } = (await dashboard.world.makeClan({ autoClan: false })).clan;
    await dashboard.signedIn("olga", "owner", clanId);
    const page = await open("olga");
    await page.getByRole("button", { name: "Clan settings" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Night Owls");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("banner").getByText("Night Owls").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("banner").getByText("Night Owls").waitFor({ state: "detached" });

    await openPage(page, "Members");
    await page.getByText("XP is stored for members only").waitFor();
    await expectReadable(page);
    await page.getByRole("button", { name: "Add member" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("platformId").fill("no spaces");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").waitFor();
    await expectReadable(page);
    await dialog.getByLabel("platformId").fill("4711");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "4711" }).waitFor();
    await page.getByRole("button", { name: "Remove member" }).click();
    await dialog.getByRole("button", { name: "Remove member" }).click();
    await page.getByRole("button", { name: "Add member" }).click();
    await dialog.getByRole("button", { name: "Add member" }).click();
    await page.getByRole("button", { name: "Remove member" }).waitFor();
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("row", { name: /4711/ }).waitFor();
  });

  test("let a viewer read batches with their results, and lead nobody to a clan that they may not read", async () => {
    const page = await browser.open();
    // Signed out there by somebody who may read that clan.
    await signIn(page, `${dashboard.url}/clans/wordy/keys`, "vic");
    await page.waitForURL(`${dashboard.url}/clans/${clan.clanId}/overview`);
    await openPage(page, "Batches");
    await page.getByRole("columnheader").first().waitFor();
    const headers = await page.getByRole("columnheader").allTextContents();
    expect(headers).toEqual(["Batch", "Status", "Awards", "Applied", "Created", "Finished"]);
    await page.getByRole("link", { name: /^bat_/ }).click();
    await page.getByRole("row", { name: /riser/ }).getByText("applied").waitFor();
    await page
      .getByRole("row", { name: /nobody-yet/ })
      .getByText("rejected", { exact: true })
      .waitFor();
    await openPage(page, "Overview");
    await page.getByRole("row", { name: /wordy/ }).waitFor();
    await page.getByRole("row", { name: /wordy/ }).getByRole("link", { name: "wordy" }).click();
    await page.getByRole("row", { name: /xxx/ }).waitFor();
    await page.goto(`${dashboard.url}/clans/wordy/members`);
    await page.getByRole("alert").waitFor();
    // Not further into a clan that the person may not read.
    expect(await page.getByRole("link", { name: "Members" }).getAttribute("href")).toBe(
      `/clans/${clan.clanId}/members`,
    );
  });
});
