// The page People in a real browser. Who has which role in a clan: people.test.ts.
import { expect, test } from "vitest";
import { describePages, expectReadable } from "./browser.ts";
import { PASSWORD } from "./dashboard-world.ts";
import { usePeople } from "./use-people.ts";
import { chooseIn, fill, openPage, press, shows } from "./steps.ts";

const { dashboard, newClan } = await usePeople();

describePages("the page People", (browser) => {
  /** With the keyboard alone, by a person whose browser somebody else (`from`) used before. */
  async function acceptInvitation(link: string, name: string, { from }: { from: string }): Promise<void> {
    const page = await browser.openAs(from, link);
    await page.getByText(`This invitation is for ${name}`).waitFor();
    await expectReadable(page);
    await page.getByRole("button", { name: "Sign out" }).press("Enter");
    await page.getByText(new RegExp(`Sign in as ${name} to accept the invitation`)).waitFor();
    await expectReadable(page);
    await fill(page, { "Name or e-mail": name, Password: PASSWORD });
    await page.getByLabel("Password").press("Enter");
    const accept = page.getByRole("button", { name: "Accept", exact: true });
    await accept.waitFor();
    await expectReadable(page);
    await accept.press("Enter");
    await shows(page, "Overview");
  }

  test("lets an owner invite, change and remove people, with the keyboard alone, and protects the last owner", async () => {
    const [{ name }, other] = [await newClan(), await newClan()];
    const ada = other.name("olga");
    const page = await browser.openAs(name("olga"), dashboard.url);
    await openPage(page, "People");
    const table = page.getByRole("table", { name: "People" });
    await table.getByRole("row", { name: /olga.*you.*the last owner.*Owner.*Active/ }).waitFor();
    expect(await table.getByRole("button", { name: /^Actions/ }).count()).toBe(0);

    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Invite person" }).press("Enter");
    await dialog.getByRole("button", { name: "Create link" }).press("Enter");
    await dialog.getByText("Name must not be empty").waitFor();
    await page.keyboard.type(`Bob-${name("x")}`);
    await fill(dialog, { Role: "Owner: may do everything in the clan" });
    await dialog.getByRole("button", { name: "Create link" }).press("Enter");
    const link = dialog.getByLabel("Invitation link");
    expect(await link.inputValue()).toContain(`${dashboard.url}/link#`);
    expect(await link.getAttribute("readonly")).not.toBeNull();
    await dialog.getByRole("button", { name: "Copy" }).waitFor();
    await expectReadable(page);
    await dialog.getByRole("button", { name: "Done" }).press("Enter");
    const bob = table.getByRole("row", { name: /bob-x.*never.*Invited/i });
    await bob.getByText("Owner").waitFor();

    await page.getByRole("button", { name: "Invite person" }).press("Enter");
    await fill(dialog, { Name: ada });
    await dialog.getByRole("button", { name: "Create link" }).press("Enter");
    const adasLink = await link.inputValue();
    await dialog.getByRole("button", { name: "Done" }).press("Enter");
    await table.getByRole("row", { name: new RegExp(`${ada}.*Viewer.*never.*Invited`) }).waitFor();
    await acceptInvitation(adasLink, ada, { from: name("olga") });
    await table.getByRole("row", { name: new RegExp(`${ada}.*Viewer.*Active`) }).waitFor();

    await bob.getByRole("button", { name: /^Actions/ }).press("Enter");
    await page.getByRole("menuitem", { name: "Change role" }).press("Enter");
    await fill(dialog, { Role: "Viewer: may read everything of the clan" });
    await dialog.getByRole("button", { name: "Change role" }).press("Enter");
    await table.getByRole("row", { name: /bob-x.*Viewer/ }).waitFor();

    await bob.getByRole("button", { name: /^Actions/ }).press("Enter");
    await page.getByRole("menuitem", { name: "Remove" }).press("Enter");
    const confirm = dialog.getByRole("button", { name: "Remove", exact: true });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill(`bob-${name("x")}`);
    await dialog.getByRole("textbox").press("Enter");
    await table.getByRole("row", { name: /bob-x/ }).waitFor({ state: "detached" });
  });

  test("is not in a viewer's navigation, and a person who leaves a clan sees their other one", async () => {
    const [first, second] = [await newClan(), await newClan()];
    const vic = first.name("vic");
    await dashboard.signedIn(vic, "viewer", first.clanId);
    await dashboard.cli.json("account", "grant", vic, "--clan", second.clanId, "--role", "owner");
    const page = await browser.openAs(vic, dashboard.url);
    const clan = page.getByLabel("Clan", { exact: true });
    await clan.selectOption({ value: first.clanId });
    await page.getByRole("link", { name: "People", exact: true }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "API keys", exact: true }).waitFor();
    await page.goto(`${dashboard.url}/clans/${first.clanId}/people`);
    await page.getByText(/may not read this/).waitFor();

    await clan.selectOption({ value: second.clanId });
    await page.getByRole("link", { name: "People", exact: true }).click();
    const own = page.getByRole("row", { name: new RegExp(`${vic}.*you`) });
    await chooseIn(own, "Remove");
    await page.getByRole("dialog").getByRole("textbox").fill(vic);
    await press(page.getByRole("dialog"), "Remove");
    await page.waitForURL(`${dashboard.url}/clans/${first.clanId}/overview`);
    expect((await second.people()).map((person: any) => person.name)).toStrictEqual([second.name("olga")]);
  });
});
