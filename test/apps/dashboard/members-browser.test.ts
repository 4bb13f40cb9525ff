// The page Members in a real browser, by keyboard and with mistakes: the filter, the import of a file, and changes of
// several members together.
import { expect, test } from "vitest";
import type { BrowserContextOptions, Locator, Page, Route } from "playwright-core";
import { describePages, expectReadable } from "./browser.ts";
import { type Visitor, useDashboard } from "./dashboard-world.ts";
import { chooseIn, fill, press, submit } from "./steps.ts";

const dashboard = await useDashboard();

async function loseResponse(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

describePages("the page Members", (browser) => {
  async function clanWith(csv: string, changes = {}) {
    const { clanId } = (await dashboard.world.makeClan(changes)).clan;
    const [owner, viewer] = [`owner-${clanId}`, `viewer-${clanId}`];
    const bea = await dashboard.signedIn(owner, "owner", clanId);
    await dashboard.signedIn(viewer, "viewer", clanId);
    const api = `/api/clans/${clanId}/members`;
    if (csv !== "") await bea.post(`${api}/import`, { csv, name: "first", dryRun: false });
    return { clanId, owner, viewer, bea, api };
  }

  const openMembers = (name: string, clanId: string, options?: BrowserContextOptions): Promise<Page> =>
    browser.openAs(name, `${dashboard.url}/clans/${clanId}/members`, options);

  const xpOf = async (person: Visitor, api: string, id: string) => (await person.get(`${api}/${id}`)).body.member.xp;

  test("filters by rank, says how many were found, and exports the same; a viewer selects nobody", async () => {
    const members = "a1,20000,,,Zoë\na2,1500,,,\na3,1200,,,\nb1,5,true,Officer,\n";
    const { clanId, viewer } = await clanWith(`platformId,xp,membership,appointedRank,name\n${members}`);
    // Separate: it goes back in the history.
    const page = await openMembers(viewer, clanId, {});
    await page.getByText("4 members", { exact: true }).waitFor();
    const rank = page.getByLabel("Rank");
    const all = ["All", "Guest", "Recruit", "Veteran", "Elite", "Officer", "Chief"];
    await expect.poll(() => rank.locator("option").allInnerTexts()).toEqual(all);
    await rank.selectOption("Veteran");
    await page.getByText("2 members", { exact: true }).waitFor();
    await page.getByRole("row", { name: /a2/ }).waitFor();
    const file = await page.getByRole("link", { name: "Export CSV" }).getAttribute("href");
    expect(file).toBe(`/api/clans/${clanId}/members.csv?rank=Veteran`);
    await fill(page, { "Search members": "a3" });
    await page.getByText("1 member", { exact: true }).waitFor();
    await fill(page, { "Search members": "" });
    await rank.selectOption("Chief");
    await page.getByText("Nobody has the rank Chief.").waitFor();
    await page.goBack();
    await page.goForward();
    await rank.selectOption("Officer");
    await page.getByRole("row", { name: /b1/ }).waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
  });

  test("reads on where the first pages have nobody whom a filter selects, and does not say so of pages that it could not read", async () => {
    const { clanId, viewer } = await clanWith("platformId,xp,membership,appointedRank,name\nb1,5,true,Officer,\n");
    const page = await openMembers(viewer, clanId);
    // A page looks through 100,000 members: these responses are like two such pages without a match.
    const asked: (string | null)[] = [];
    await page.route(/\/members\?.*rank=Officer/, async (route) => {
      const url = new URL(route.request().url());
      const cursor = url.searchParams.get("cursor");
      asked.push(cursor);
      const nextCursor = cursor === null ? "first" : "second";
      if (cursor !== "second") return route.fulfill({ json: { members: [], nextCursor, found: null } });
      url.searchParams.delete("cursor");
      return route.continue({ url: url.href });
    });
    await fill(page, { Rank: "Officer" });
    await expect.poll(() => asked).toContain("second");
    await page.getByRole("row", { name: /b1/ }).waitFor();
    expect(asked.slice(0, 3)).toEqual([null, "first", "second"]);

    await page.route(/\/members\?.*rank=Chief/, (route) =>
      new URL(route.request().url()).searchParams.has("cursor")
        ? route.fulfill({ status: 503, json: { code: "unavailable", detail: "MongoDB is unavailable." } })
        : route.fulfill({ json: { members: [], nextCursor: "first", found: null } }),
    );
    await fill(page, { Rank: "Chief" });
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Show more" }).waitFor();
    expect(await page.getByText("Nobody has the rank Chief.").count()).toBe(0);
  });

  /** Chooses the file by its field, and presses the button that has the focus next. */
  async function check(dialog: Locator, text: string | Buffer, button = "Check"): Promise<void> {
    const file = { name: "members.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
    await dialog.getByLabel("CSV file").setInputFiles(file);
    await dialog.getByRole("button", { name: button, exact: true }).press("Enter");
  }

  test("imports a file after a check, by keyboard, and says of each mistake what it is", async () => {
    const { clanId, owner, bea, api } = await clanWith("");
    const page = await openMembers(owner, clanId);
    await page.getByText("0 members", { exact: true }).waitFor();
    await page.getByRole("button", { name: "More actions" }).press("Enter");
    await page.getByRole("menuitem", { name: "Import CSV" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Import CSV" });
    await dialog.getByRole("button", { name: "Check" }).press("Enter");
    await dialog.getByText("Choose a file.").waitFor();
    const mistakes: [string | Buffer, string][] = [
      [Buffer.from("platformId,xp,name\na,5,Zoë\n", "latin1"), "The file is not UTF-8."],
      ["", "The file is empty."],
      ["platform_id,xp,xp\na,5,6\n", "The first line names a column twice."],
    ];
    for (const [text, fault] of mistakes) {
      await check(dialog, text);
      await dialog.getByRole("alert").filter({ hasText: fault }).waitFor();
      // Said once, and the field has the focus.
      expect(await dialog.getByRole("alert").count()).toBe(1);
      await dialog.getByLabel("CSV file").and(page.locator(":focus")).waitFor();
    }

    await check(dialog, "platformId,xp\nann,5\nben,many\nann,5\ncleo,7\n");
    await dialog.getByText("2 lines would be imported, and 1 would be skipped.").waitFor();
    await dialog.getByText(/^Line 3: xp is not an integer/).waitFor();
    await dialog.getByText(/^Line 4: repeated in this file: line 2/).waitFor();
    await expectReadable(page);
    expect((await bea.get(`${api}/ann`)).status).toBe(404);
    // Another name needs another check.
    await fill(dialog, { "Name of the import": "two words" });
    await dialog.getByRole("button", { name: "Check" }).press("Enter");
    await dialog.getByText("Name of the import must be").waitFor();
    await fill(dialog, { "Name of the import": "season-1" });
    await dialog.getByRole("button", { name: "Check" }).press("Enter");
    await dialog.getByRole("button", { name: "Import", exact: true }).press("Enter");
    await dialog.getByText("2 lines were imported, and 1 was skipped.").waitFor();
    await dialog.getByRole("button", { name: "Undo import" }).waitFor();
    await dialog.getByRole("button", { name: "Done" }).press("Enter");
    await page.getByText("2 members", { exact: true }).waitFor();
    expect([await xpOf(bea, api, "ann"), await xpOf(bea, api, "cleo")]).toEqual(["5", "7"]);

    await page.getByRole("button", { name: "More actions" }).press("Enter");
    await page.getByRole("menuitem", { name: "Import CSV" }).press("Enter");
    await fill(dialog, { "Name of the import": "season-1" });
    await check(dialog, "platformId,xp\nann,5\ncleo,7\n");
    await dialog.getByText("No line would be imported.").waitFor();
    expect(await dialog.getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "More actions" }).and(page.locator(":focus")).waitFor();
  });

  test("imports a file with columns of other names after a choice, undoes it there and in the audit log, and offers a sample", async () => {
    await dashboard.world.startWorker();
    const { clanId, owner, bea, api } = await clanWith("");
    const page = await openMembers(owner, clanId);
    await chooseIn(page.getByRole("main"), "Import CSV");
    const dialog = page.getByRole("dialog", { name: "Import CSV" });
    const download = page.waitForEvent("download");
    await dialog.getByRole("link", { name: "Download a sample" }).click();
    expect((await download).suggestedFilename()).toBe("clan-xp-sample.csv");

    await check(dialog, "User,Points,Avatar,Note\n4711,30,a.png,won\n4712,12,b.png,\n");
    await dialog.getByText("Choose the column of the player IDs.").waitFor();
    const choices = dialog.getByRole("group", { name: "Columns of the file" });
    await choices.getByLabel("Player ID").and(page.locator(":focus")).waitFor();
    // What other programs call it is found.
    for (const [label, value] of [
      ["XP", "Points"],
      ["Reason", "Note"],
      ["Name", "User"],
      ["Membership", ""],
    ] as const)
      expect([label, await choices.getByLabel(label, { exact: true }).inputValue()]).toEqual([label, value]);
    await fill(choices, { "Player ID": "User", Name: "", Membership: "" });
    await expectReadable(page);
    await press(dialog, "Check");
    await dialog.getByText("2 lines would be imported.").waitFor();
    await press(dialog, "Import");
    await dialog.getByText("2 lines were imported.").waitFor();
    expect([await xpOf(bea, api, "4711"), await xpOf(bea, api, "4712")]).toEqual(["30", "12"]);
    const undo = page.getByRole("dialog", { name: "Undo import" });
    await press(dialog, "Undo import");
    await undo.getByText(/^Takes back 42 XP of 2 members/).waitFor();
    await expectReadable(page);
    await press(undo, "Undo import");
    await page.getByText("Taking the XP back …").waitFor();
    await expect.poll(() => xpOf(bea, api, "4711")).toBe("0");

    await page.goto(`${dashboard.url}/clans/${clanId}/audit`);
    const row = page.getByRole("row", { name: /imported 2 lines under the name import/ });
    await press(row, "Details");
    await page.getByText("XP given", { exact: true }).waitFor();
    await press(page, "Undo import");
    await undo.getByText(/^There is nothing to take back/).waitFor();
    expect(await undo.getByRole("button", { name: "Undo import" }).isDisabled()).toBe(true);
    await expectReadable(page);
  });

  test("an import whose response was lost is repeated from the same dialog, and counts once", async () => {
    const { clanId, owner, bea, api } = await clanWith("");
    const page = await openMembers(owner, clanId);
    await chooseIn(page.getByRole("main"), "Import CSV");
    const dialog = page.getByRole("dialog", { name: "Import CSV" });
    await check(dialog, "platformId,xp\nann,5\nben,6\n");
    await dialog.getByText("2 lines would be imported.").waitFor();
    await page.route(`**${api}/import`, loseResponse);
    await press(dialog, "Import");
    await dialog.getByText("The dashboard cannot be reached.").waitFor();
    await page.unroute(`**${api}/import`);
    await press(dialog, "Import");
    await dialog.getByText("No line was imported.").waitFor();
    expect([await xpOf(bea, api, "ann"), await xpOf(bea, api, "ben")]).toEqual(["5", "6"]);
  });

  test("changes several members at once, keeps those for whom it failed, and gives nobody XP twice", async () => {
    const csv = "platformId,xp,membership,name\nann,300,true,Ann\nben,200,true,\ncleo,150,true,\ndan,120,true,\n";
    const { clanId, owner, bea, api } = await clanWith(csv, { autoClan: false });
    const page = await openMembers(owner, clanId);
    for (const name of ["Select Ann (ann)", "Select ben", "Select cleo"])
      await page.getByRole("checkbox", { name }).press("Space");
    const bar = page.getByRole("group", { name: "Selected members" });
    await bar.getByText("3 selected").waitFor();
    await expectReadable(page);
    await bar.getByRole("button", { name: "Give XP" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Given to each of 3 members, in your name.").waitFor();
    await bea.post(`${api}/cleo/removal`);
    await submit(dialog, { Amount: "fifty", Reason: "event" });
    await dialog.getByText("must be a whole number").waitFor();
    await submit(dialog, { Amount: "50" });
    const alert = dialog.getByRole("alert");
    await alert.getByText("It is not done for 1 member, who stays selected.").waitFor();
    expect(await alert.getByRole("listitem").allInnerTexts()).toEqual([expect.stringMatching(/^cleo: /)]);
    await bea.post(`${api}/cleo/membership`);
    await dialog.getByRole("button", { name: "Give XP" }).press("Enter");
    await page.getByRole("group", { name: "Note" }).getByText("Given to 3 members.").waitFor();
    await bar.waitFor({ state: "detached" });
    const xps = () => Promise.all(["ann", "ben", "cleo", "dan"].map((id) => xpOf(bea, api, id)));
    expect(await xps()).toEqual(["350", "250", "200", "120"]);

    // The list may still be that of the time when cleo was no member.
    await page.getByRole("row", { name: /cleo/ }).getByText("200").waitFor();
    await page.getByRole("checkbox", { name: "Select all" }).press("Space");
    await bar.getByText("4 selected").waitFor();
    await page.getByRole("checkbox", { name: "Select dan" }).press("Space");
    await bar.getByRole("button", { name: "Appoint" }).press("Enter");
    await fill(dialog, { Rank: "Officer" });
    await dialog.getByRole("button", { name: "Appoint" }).press("Enter");
    await page.getByText("3 members are Officer now").waitFor();
    await fill(page, { Rank: "Officer" });
    await page.getByText("3 members", { exact: true }).waitFor();
    // Imports are no awards.
    await fill(page, { Rank: "All", "Last award": "Not in 30 days" });
    await page.getByText("4 members", { exact: true }).waitFor();
    await fill(page, { Rank: "Officer" });
    await page.getByText("3 members", { exact: true }).waitFor();
    const file = await page.getByRole("link", { name: "Export CSV" }).getAttribute("href");
    expect(file).toBe(`${api}.csv?rank=Officer&idleDays=30`);

    await page.getByRole("checkbox", { name: "Select all" }).press("Space");
    await bar.getByRole("button", { name: "Remove" }).press("Enter");
    // The response for the first one is lost.
    await page.route(`**${api}/ann/removal`, loseResponse);
    await dialog.getByRole("button", { name: "Remove members" }).press("Enter");
    await alert.getByText("It is not done for 3 members, who stay selected.").waitFor();
    await page.unroute(`**${api}/ann/removal`);
    await dialog.getByRole("button", { name: "Remove members" }).press("Enter");
    await page.getByText("3 members are removed").waitFor();
    await page.getByText("Nobody with the rank Officer has had no award for 30 days.").waitFor();
    const { records } = (await bea.get(`/api/clans/${clanId}/audit?action=member.remove`)).body;
    expect(records).toHaveLength(4);
  });
});
