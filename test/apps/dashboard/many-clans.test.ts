// An installation of thousands of clans and accounts, as an operator sees it: nothing reads them all, and each is
// found.
import { beforeAll, expect, test } from "vitest";
import { describePages, expectReadable, signIn } from "./browser.ts";
import { useDashboard } from "./dashboard-world.ts";
import { pagesOf } from "./pages-of.ts";
import { chooseIn, fill, hold, press } from "./steps.ts";

const COUNT = 5_000;
const padded = (index: number): string => String(index).padStart(4, "0");
const clanIdOf = (index: number): string => `clan-${padded(index)}`;

const dashboard = await useDashboard();
const operator = await dashboard.signedIn("ops", "operator");
// A random ID could contain what is searched for.
await dashboard.world.makeClan({ clanId: "other" });
const owner = await dashboard.signedIn("owner", "owner", "other");
beforeAll(async () => {
  const indexes = Array.from({ length: COUNT }, (_, index) => index);
  const db = dashboard.world.database.db();
  const clans = db.collection<{ _id: string }>("clans");
  const clan = await clans.findOne({ _id: "other" });
  await clans.insertMany(indexes.map((index) => ({ ...clan, _id: clanIdOf(index), name: `The ${padded(index)}` })));
  const accounts = db.collection<{ _id: string }>("accounts");
  const account = await accounts.findOne({ _id: "owner" });
  const grants = (index: number) => [{ clanId: clanIdOf(index), role: "owner" }];
  await accounts.insertMany(
    indexes.map((index) => ({ ...account, _id: `owner-${padded(index)}`, grants: grants(index) })),
  );
});

test("the endpoint `me` returns at most 100 clans, however many an operator may see", async () => {
  const { body } = await operator.get("/api/me");
  expect([body.clans.length, body.hasMoreClans]).toEqual([100, true]);
  expect((await owner.get("/api/me")).body).toMatchObject({ clans: [{ role: "owner" }], hasMoreClans: false });
});

test("clans and accounts are listed once each in pages, and accounts found by a part of their name or a clan ID", async () => {
  const clans = (await pagesOf(operator, "/api/clans?search=clan-00")).flatMap((page) => page.clans);
  const first = Array.from({ length: 100 }, (_, index) => index);
  expect(clans.map(({ clanId }) => clanId)).toEqual(first.map(clanIdOf));
  const namesFor = async (search: string): Promise<string[]> => {
    const pages = await pagesOf(operator, `/api/accounts?search=${search}`);
    return pages.flatMap(({ accounts }) => accounts).map(({ name }) => name);
  };
  expect(await namesFor("OWNER-00")).toEqual(first.map((index) => `owner-${padded(index)}`));
  expect(await namesFor("clan-4999")).toEqual(["owner-4999"]);
  expect(await namesFor("owner.0001")).toEqual([]);
  await dashboard.cli.json("account", "remove", "owner-0001");
  expect(await namesFor("owner-0001")).toEqual([]);
  const { body } = await operator.get("/api/accounts");
  expect([body.accounts.length, typeof body.nextCursor]).toEqual([50, "string"]);
  for (const list of ["clans", "accounts"])
    expect((await operator.get(`/api/${list}?cursor=x`)).body.code).toBe("invalid_request");
});

describePages("in the browser, with many clans,", (browser) => {
  test("an operator finds a clan by keyboard, opens it, invites its owner by a link shown once, and removes the account", async () => {
    const page = await browser.openAs("ops", `${dashboard.url}/clans/${clanIdOf(0)}/members`);
    const clan = page.getByRole("combobox", { name: "Clan", exact: true });
    await clan.getByText("The 0000").waitFor();
    await clan.press("Enter");
    const search = page.getByRole("combobox", { name: "Search all clans" });
    const listed = page.getByRole("listbox").getByRole("option");
    await page.getByText("The first 50 are listed.").waitFor();
    expect(await listed.count()).toBe(50);
    await expectReadable(page);
    await search.fill("nothing like this");
    await page.getByText("No name or clan ID contains “nothing like this”.").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate<string>("document.activeElement.textContent")).toContain("The 0000");

    await clan.press("Enter");
    await page.getByText("The first 50 are listed.").waitFor();
    await search.fill("4321");
    await page.getByRole("option", { name: "The 4321" }).waitFor();
    await expect.poll(() => listed.count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/clans/${clanIdOf(4321)}/members`);
    await page.getByText("No members yet.").waitFor();
    await page.reload();
    await clan.getByText("The 4321").waitFor();

    await page.getByRole("link", { name: "Clans" }).click();
    await press(page, "Invite person");
    const dialog = page.getByRole("dialog", { name: "Invite person" });
    await fill(dialog, { Name: "ada" });
    await dialog.getByRole("combobox", { name: "Clan", exact: true }).click();
    await search.fill("clan-4999");
    await page.getByRole("option", { name: "The 4999" }).click();
    await dialog.getByText("The 4999").waitFor();
    await expectReadable(page);
    await press(dialog, "Invite");
    const link = await page.getByLabel("Link", { exact: true }).inputValue();
    await press(page, "Done");
    await fill(page, { "Search accounts": "clan-4999" });
    const ada = page.getByRole("row", { name: /^ada owner of clan-4999 Invited/ });
    await ada.waitFor();
    await expect.poll(() => page.getByRole("table", { name: "Accounts" }).getByRole("row").count()).toBe(3);
    expect(await page.content()).not.toContain(link.slice(-20));
    await chooseIn(ada, "Remove");
    await press(page, "Remove account");
    await ada.waitFor({ state: "detached" });
  });

  test("the rows of one search remain until those of the next search are loaded", async () => {
    const page = await browser.openAs("ops", `${dashboard.url}/clans`);
    const first = page.getByRole("link", { name: "The 0000" });
    await first.waitFor();
    const release = await hold(page, /search=4321/);
    const requested = page.waitForRequest(/search=4321/);
    await fill(page, { "Search clans": "4321" });
    await requested;
    expect(await first.isVisible()).toBe(true);
    release();
    await page.getByRole("link", { name: "The 4321" }).waitFor();
    expect(await first.count()).toBe(0);
  });

  test("a list of two pages is refreshed half as often as a list of one page", async () => {
    const page = await browser.open({});
    await page.clock.install();
    await signIn(page, `${dashboard.url}/clans`, "ops");
    await press(page, "Show more");
    await page.getByRole("link", { name: "The 0098" }).waitFor();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    const countOf = (path: string): number => requested.filter((one) => one === path).length;
    await page.clock.fastForward(5_000);
    // Real time goes on as well: the clans are due after 10 s, and 5 s more may make the accounts due again.
    await expect.poll(() => countOf("/api/accounts")).toBeGreaterThanOrEqual(1);
    expect(countOf("/api/clans")).toBe(0);
    await page.clock.fastForward(6_000);
    await expect.poll(() => countOf("/api/clans")).toBe(2);
  });
});
