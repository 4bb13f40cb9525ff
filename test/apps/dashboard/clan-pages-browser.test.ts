// Ranks, reversals, batches and the audit log as an owner and a viewer use them in a real browser.
import { beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { testActor } from "../../support/actor.ts";
import { HOOK_KEY } from "../../support/erasure-hooks.ts";
import { until } from "../../support/until.ts";
import { whereIs } from "../../support/where-is.ts";
import { describePages, expectReadable, signIn } from "./browser.ts";
import { chooseIn, fill, openPage, press, shows, submit } from "./steps.ts";
import { useClan } from "./use-clan.ts";

/** The notes about changes that cover something of the page. */
const NOTES_OVER_PAGE = `[...document.querySelectorAll("[role=group]:has([aria-label=Close])")]
  .filter((note) => note.getBoundingClientRect().right > document.querySelector("main").getBoundingClientRect().left)
  .map((note) => note.textContent)`;

const { dashboard, clan, api, pages, owner: ada } = await useClan({ worker: true });

describePages("the pages of a clan", (browser) => {
  beforeAll(async () => {
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

  const focused = (page: Page) => page.evaluate("document.activeElement.textContent");

  const storedRanks = async () => (await dashboard.world.clans.read([clan.clanId])).get(clan.clanId);

  test("let an owner preview and save ranks and Auto Clan, with a second confirmation if members are affected", async () => {
    const page = await browser.open();
    await signIn(page, dashboard.url, "ada");
    // The form that had the focus is gone.
    await expect.poll(() => focused(page)).toBe("Overview");
    await openPage(page, "Ranks");
    const veteranRank = { name: "Veteran", kind: "NORMAL" };
    const veteran = page.getByRole("row", { name: "Rank Veteran" });
    await fill(veteran, { Threshold: "400" });
    await press(page, "Preview");
    await page.getByText("Of 1 member, 1 would rise, 0 would fall.").waitFor();
    await fill(page, { "Auto Clan": false });
    await expectReadable(page);
    await press(page, "Save");
    await page.getByText("Ranks saved").first().waitFor();
    expect((await storedRanks())?.autoClan).toBe(false);
    expect((await storedRanks())?.ranks).toContainEqual({ ...veteranRank, threshold: 400n });

    await fill(veteran, { Threshold: "600" });
    await press(page, "Save");
    await page.getByText("select Save again").waitFor();
    expect((await storedRanks())?.ranks).toContainEqual({ ...veteranRank, threshold: 400n });
    await press(page, "Save");
    await expect.poll(async () => (await storedRanks())?.ranks).toContainEqual({ ...veteranRank, threshold: 600n });

    // Saved, and shown as it is stored.
    await page.getByRole("button", { name: "Discard edits" }).waitFor({ state: "detached" });
    // Nothing can be edited, or have the focus, until the saved list was read.
    const remove = page.getByRole("button", { name: "Remove Elite" });
    await expect.poll(() => remove.isEnabled()).toBe(true);
    await remove.press("Enter");
    await expect.poll(() => focused(page)).toBe("Add rank");
    await page.keyboard.press("Enter");
    await press(page, "Save");
    await page.getByText(/^Name must be 1 to 100 characters/).waitFor();
    expect(await page.evaluate("document.activeElement.ariaInvalid")).toBe("true");
    await press(page, "Discard edits");

    await openPage(page, "Audit log");
    await page.getByRole("row", { name: /ada changed the threshold of Veteran from 400 to 600/ }).waitFor();
  });

  test("let an owner reverse an award on the member's page, and both entries show it", async () => {
    const page = await browser.openAs("ada", `${pages}/members/cheater`);
    await page.getByRole("row", { name: /match/ }).getByRole("button", { name: "Actions" }).press("Enter");
    await page.getByRole("menuitem", { name: "Reverse" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Takes back 50 XP").waitFor();
    await expectReadable(page);
    await submit(dialog, { Reason: "cheated" }, "Reverse");
    await page.getByRole("row", { name: /cheated.*reverses an award/ }).waitFor();
    const reversed = page.getByRole("row", { name: /match.*reversed/ });
    await reversed.waitFor();
    expect(await reversed.getByRole("button", { name: "Actions" }).count()).toBe(0);
  });

  test("undo given XP and an appointment with Undo, and copy IDs completely", async () => {
    const page = await browser.openAs("ada", `${pages}/members/riser`, {});
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("slider", { name: "XP of all time" }).waitFor();
    await chooseIn(page.getByRole("main"), "Appoint");
    await fill(page, { Rank: "Officer" });
    await press(page.getByRole("dialog"), "Appoint");
    await page.getByText("Officer appointed").waitFor();
    // Notes are no dialogs: none is left while this one shows.
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await press(page, "Undo");
    await page.getByText("Officer appointed").waitFor({ state: "detached" });

    await press(page, "Give XP");
    const faults = () => page.getByRole("dialog").getByRole("alert").allInnerTexts();
    await fill(page, { Reason: "by mistake" });
    for (const amount of ["1,5", "-5", "abc", "0"]) {
      await submit(page, { Amount: amount });
      await page.getByText("Amount must be a whole number from 1 to 1,000,000").waitFor();
    }
    await submit(page, { Amount: "2,000,000" });
    await page.getByText("At most 1,000,000 XP in one change").waitFor();
    expect(await faults()).toEqual(["At most 1,000,000 XP in one change"]);
    expect(await page.evaluate("document.activeElement.value")).toBe("2,000,000");
    // The clan's bound was lowered since the page read it: what the server says is shown at the same place.
    await dashboard.world.clans.change(clan.clanId, { amountMax: 1_500 }, testActor);
    const large = () => ({ amount: 1_600, reason: "large", changeId: crypto.randomUUID() });
    await until(async () => (await ada.post(`${api}/members/probe/xp`, large())).status === 400);
    await submit(page, { Amount: "1,600" });
    await page.getByText("At most 1,500 XP in one change").waitFor();
    expect(await faults()).toEqual(["At most 1,500 XP in one change"]);
    await fill(page, { Amount: "1,234" });
    await page.getByRole("dialog").getByRole("alert").first().waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    const given = page.getByRole("row", { name: /by mistake.*ada/ });
    await given.getByText("+1,234").waitFor();
    await press(page, "Undo");
    const undone = page.getByRole("row", { name: /by mistake.*reversed/ });
    await undone.waitFor();
    await press(undone, "Details");
    await page
      .getByRole("button", { name: /^Copy award ID/ })
      .first()
      .click();
    await page.getByText("Copied").first().waitFor();
    const { entries } = (await clan.get("/members/riser/ledger")).body;
    expect(entries[1].awardId).toBe(await page.evaluate("navigator.clipboard.readText()"));

    await chooseIn(page.getByRole("main"), "Take XP");
    await fill(page, { Amount: "900,000" });
    await page.getByText(/^Takes [\d,]+ XP: the minimum is 0\.$/).waitFor();
    await page.keyboard.press("Escape");

    // One note at a time, beside the page and not over it, and none on the next page.
    await page.getByText("Reversing …").waitFor({ state: "detached" });
    await expectReadable(page);
    expect(await page.evaluate(NOTES_OVER_PAGE)).toEqual([]);
    await openPage(page, "Members");
    expect(await page.getByText("Copied").count()).toBe(0);
  });

  test("let an owner export what they read, and erase a member after typing their ID", async () => {
    await ada.post(`${api}/members/leaver/membership`);
    await clan.award("leaver", { amount: 9, reason: "match" });
    const page = await browser.openAs("ada", `${pages}/members`);
    const list = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export CSV" }).click();
    expect((await list).suggestedFilename()).toBe(`${clan.clanId}-members.csv`);
    await page.getByRole("link", { name: "leaver" }).click();
    await page.getByRole("button", { name: "Actions of leaver" }).waitFor();
    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export CSV" }).click();
    expect((await file).suggestedFilename()).toBe(`${clan.clanId}-leaver-ledger.csv`);
    await chooseIn(page.getByRole("main"), "Erase");
    const dialog = page.getByRole("dialog");
    const erase = dialog.getByRole("button", { name: "Erase", exact: true });
    expect(await erase.isDisabled()).toBe(true);
    await submit(dialog, { "Type leaver to confirm": "leaver" });
    await dialog.getByText(/^A worker/).waitFor();
    await expectReadable(page);
    await dialog.getByText("Erased. 2 entries were deleted.").waitFor({ timeout: 60_000 });
    expect(await whereIs(dashboard.world, "leaver")).toEqual([]);
    await expectReadable(page);
    await press(dialog, "Done");
    await shows(page, "Members");
    await page.getByRole("link", { name: "leaver" }).waitFor({ state: "detached" });
  });

  test("let an owner add a member to a clan that is not an Auto Clan, and undo a new name of the clan", async () => {
    await dashboard.newClan("olga", "owner", { autoClan: false });
    const page = await browser.openAs("olga", dashboard.url);
    await press(page, "Clan settings");
    await submit(page, { Name: "Night Owls" }, "Save");
    await page.getByRole("banner").getByText("Night Owls").waitFor();
    await press(page, "Undo");
    await page.getByRole("banner").getByText("Night Owls").waitFor({ state: "detached" });

    await openPage(page, "Members");
    await page.getByText("XP is stored for members only").waitFor();
    await press(page, "Add the first member");
    const dialog = page.getByRole("dialog");
    await submit(dialog, { "Player ID": "no spaces" });
    await dialog.getByRole("alert").waitFor();
    await expectReadable(page);
    await submit(dialog, { "Player ID": "4711" });
    await shows(page, "4711");
    await chooseIn(page.getByRole("main"), "Remove member");
    await press(dialog, "Remove member");
    await chooseIn(page.getByRole("main"), "Add member");
    await press(dialog, "Add member");
    await dialog.waitFor({ state: "detached" });
    await page.getByText("not a member").waitFor({ state: "detached" });
    await openPage(page, "Members");
    await page.getByRole("row", { name: /4711/ }).waitFor();
  });

  test("let an owner create a hook for Roblox's erasure requests, replace its secret, which is shown once, and remove it", async () => {
    await dashboard.world.startApi({ config: { hookKey: HOOK_KEY } });
    const meta = dashboard.world.database.db().collection<{ _id: string }>("meta");
    await until(async () => (await meta.countDocuments({ _id: "hookKey" })) === 1);
    await dashboard.newClan("rob", "owner");
    const page = await browser.openAs("rob", dashboard.url);
    await press(page, "Clan settings");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Roblox erasure requests" }).waitFor();
    await press(dialog, "Create");
    await dialog.getByLabel("Secret").waitFor();
    expect(await dialog.getByLabel("Webhook URL").inputValue()).toContain("/v0/hooks/hok_");
    await expectReadable(page);
    await press(dialog, "Done");
    await press(page, "Clan settings");
    await dialog.getByText(/^Created .* by rob/).waitFor();
    await expectReadable(page);

    const name = dialog.getByLabel("Name", { exact: true });
    await name.fill("Rovers");
    await press(dialog, "Rotate secret");
    await dialog.getByText("The old secret ends immediately").waitFor();
    await press(dialog, "Cancel");
    // What was edited is still there.
    expect(await name.inputValue()).toBe("Rovers");
    await press(dialog, "Rotate secret");
    await dialog.getByText("The old secret ends immediately").waitFor();
    await expectReadable(page);
    await press(dialog, "Rotate secret");
    await dialog.getByLabel("Secret").waitFor();
    await press(dialog, "Done");
    await press(page, "Clan settings");
    await press(dialog, "Remove");
    await dialog.getByText("Its URL and its secret end").waitFor();
    await expectReadable(page);
    await press(dialog, "Remove");
    await dialog.getByText(/^Created /).waitFor({ state: "detached" });
    await dialog.getByRole("heading", { name: "Roblox erasure requests" }).waitFor();
  });

  test("let a viewer read batches with their results, and lead nobody to a clan that they may not read", async () => {
    const page = await browser.open();
    // Signed out there by somebody who may read that clan.
    await signIn(page, `${dashboard.url}/clans/wordy/keys`, "vic");
    await page.waitForURL(`${pages}/overview`);
    await openPage(page, "Batches");
    await page.getByRole("link", { name: /^bat_/ }).click();
    await page.getByRole("row", { name: /riser/ }).getByText("applied").waitFor();
    const rejected = page.getByRole("row", { name: /nobody-yet/ });
    await rejected.getByText("rejected", { exact: true }).waitFor();
    await openPage(page, "Overview");
    await page.getByRole("list", { name: "Newest awards" }).getByRole("link", { name: "wordy" }).first().click();
    await page.getByRole("row", { name: /xxx/ }).waitFor();
    await page.goto(`${dashboard.url}/clans/wordy/members`);
    await page.getByRole("alert").waitFor();
    // Not further into a clan that the person may not read.
    const link = page.getByRole("link", { name: "Members" });
    expect(await link.getAttribute("href")).toBe(`/clans/${clan.clanId}/members`);
  });
});
