// What moderators see and do in a real browser, and where owners set their bounds. The bounds themselves:
// moderators.test.ts.
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { describePages, expectReadable, expectUsable } from "./browser.ts";
import { chooseIn, fill, openPage, press, shows, submit } from "./steps.ts";
import { useClan } from "./use-clan.ts";

const { dashboard, clan, api, pages, owner } = await useClan({ worker: true, name: "Night Owls" });
await dashboard.signedIn("mod", "moderator", clan.clanId);

describePages("the dashboard of a moderator", (browser) => {
  test("is bound by what an owner sets on the page People, with the keyboard alone", async () => {
    const page = await browser.openAs("ada", `${pages}/people`);
    const panel = page.getByRole("region", { name: "Moderators" });
    const [perAward, save] = [panel.getByLabel("XP per award"), panel.getByRole("button", { name: "Save" })];
    expect([await perAward.inputValue(), await panel.getByLabel("XP per day").inputValue()]).toStrictEqual([
      "1,000",
      "10,000",
    ]);
    expect(await save.isDisabled()).toBe(true);
    await expectUsable(page);
    await perAward.fill("5k");
    await perAward.press("Enter");
    await panel.getByText("must be a whole number from 1 to").waitFor();
    await panel.locator("input:focus").waitFor();
    await expectReadable(page);
    await submit(panel, { "XP per award": "500", "XP per day": "2,000" });
    await page.getByText("Bounds of moderators saved").waitFor();
    const stored = async () => (await owner.get(api)).body.moderatorBounds;
    expect(await stored()).toStrictEqual({ xpPerAward: 500, xpPerDay: 2_000 });
    await press(page, "Undo");
    await until(async () => (await stored()).xpPerAward === 1_000);
    await expect.poll(() => perAward.inputValue()).toBe("1,000");
    await press(page, "Invite person");
    await fill(page.getByRole("dialog"), {
      Role: "Moderator: may give and take XP, within bounds, and read nearly everything",
      Name: "mia",
    });
    await press(page.getByRole("dialog"), "Create link");
    await press(page.getByRole("dialog"), "Done");
    await page.getByRole("row", { name: /mia.*Moderator.*Invited/ }).waitFor();
    await chooseIn(page.getByRole("row", { name: /mia/ }), "Change role");
    await fill(page.getByRole("dialog"), { Role: "viewer" });
    await press(page.getByRole("dialog"), "Change role");
    await page.getByText("mia is invited as a viewer").waitFor();
  });

  test("gives, takes and reverses XP within the bounds, and has nothing else to change", async () => {
    for (const platformId of ["p1", "p2"]) await clan.award(platformId, { amount: 100 });
    const page = await browser.openAs("mod", `${pages}/members`);
    const navigation = page.getByRole("navigation", { name: "Pages" });
    await navigation.getByRole("link", { name: "Audit log" }).waitFor();
    for (const name of ["API keys", "People", "Public page"])
      expect(await navigation.getByRole("link", { name }).count()).toBe(0);
    for (const name of ["Add member", /^Actions/]) expect(await page.getByRole("button", { name }).count()).toBe(0);
    await press(page, "More actions");
    expect(await page.getByRole("menuitem").allTextContents()).toEqual(["Resets"]);
    await page.keyboard.press("Escape");
    for (const platformId of ["p1", "p2"]) await page.getByRole("checkbox", { name: `Select ${platformId}` }).check();
    const bar = page.getByRole("group", { name: "Selected members" });
    for (const name of ["Appoint", "Remove"]) expect(await bar.getByRole("button", { name }).count()).toBe(0);
    await press(bar, "Give XP");
    await submit(page.getByRole("dialog"), { Amount: "300", Reason: "event" }, "Give XP");
    await page.getByText("Given to 2 members").waitFor();

    await page.getByRole("link", { name: /p1/ }).first().click();
    await shows(page, "p1");
    const actions = page.getByRole("main");
    for (const name of ["Add member", "Actions of p1"])
      expect(await actions.getByRole("button", { name }).count()).toBe(0);
    await press(page, "Give XP");
    const dialog = page.getByRole("dialog");
    await submit(dialog, { Amount: "1,001", Reason: "too much" }, "Give XP");
    await dialog.getByText("At most 1,000 XP in one change").waitFor();
    await expectReadable(page);
    for (let times = 0; times < 9; times += 1) {
      const body = { amount: 1_000, reason: "much", changeId: crypto.randomUUID() };
      const path = `/clans/${clan.clanId}/members/p2/xp`;
      await page.evaluate(
        `fetch("/api${path}", { method: "POST", headers: { "content-type": "application/json" }, body: '${JSON.stringify(body)}' })`,
      );
    }
    await submit(dialog, { Amount: "1000", Reason: "too much" }, "Give XP");
    await dialog.getByText(/you have 400 XP left until 00:00 UTC/).waitFor();
    await expectReadable(page);
    await submit(dialog, { Amount: "400", Reason: "the rest" }, "Give XP");
    await page.getByText("p1 has 800 XP now.").waitFor();

    const ledger = page.getByRole("table", { name: "Ledger" });
    await ledger.getByRole("row", { name: /the rest/ }).waitFor();
    expect(await ledger.getByRole("row", { name: /test/ }).getByRole("link", { name: "test" }).count()).toBe(0);
    expect(await ledger.getByRole("button", { name: /^Actions/ }).count()).toBe(2);
    await expectUsable(page);
    await chooseIn(ledger.getByRole("row", { name: /event/ }), "Reverse");
    await press(dialog, "Reverse");
    await page.getByText("Award reversed").waitFor();
    await expect.poll(() => clan.xpOf("p1")).toBe("500");
  });

  test("says on other pages that they are for others, and shows everything else on a phone", async () => {
    const page = await browser.openAs("mod", `${pages}/overview`, { viewport: { width: 390, height: 844 } });
    await shows(page, "Overview");
    for (const path of ["keys", "people", "public-page"]) {
      await page.goto(`${pages}/${path}`);
      await page.getByText(/may not read this/).waitFor();
      await expectReadable(page);
    }
    for (const [path, name] of [
      ["ranks", "Ranks"],
      ["boards", "Boards"],
      ["boosts", "Boosts"],
      ["resets", "Resets"],
      ["events", "Events"],
      ["destinations", "Destinations"],
    ] as const) {
      await page.goto(`${pages}/${path}`);
      await shows(page, name);
      await expectReadable(page);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await openPage(page, "Audit log");
  });
});
