// The page People in a real browser. Who has which role in a clan: people.test.ts.
import { describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { expectReadable, noBrowser, useBrowser } from "./browser.ts";
import { PASSWORD } from "./dashboard-world.ts";
import { usePeople } from "./use-people.ts";

const { dashboard, newClan } = await usePeople();

describe.skipIf(noBrowser !== null)("the page People", { timeout: 120_000 }, () => {
  const browser = useBrowser();

  /** With the keyboard alone, by a person whose browser somebody else (`from`) used before. */
  async function acceptInvitation(link: string, name: string, { from }: { from: string }): Promise<void> {
    const page = await browser.openAs(from, link);
    await page.getByText(`This invitation is for ${name}`).waitFor();
    await expectReadable(page);
    await page.getByRole("button", { name: "Sign out" }).press("Enter");
    await page.getByText(new RegExp(`Sign in as ${name} to accept the invitation`)).waitFor();
    await expectReadable(page);
    await page.getByLabel("Name or e-mail").fill(name);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByLabel("Password").press("Enter");
    const accept = page.getByRole("button", { name: "Accept", exact: true });
    await accept.waitFor();
    await expectReadable(page);
    await accept.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  }

  async function openPeople(name: string): Promise<Page> {
    const page = await browser.openAs(name, dashboard.url);
    await page.getByRole("link", { name: "People", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "People", exact: true }).waitFor();
    return page;
  }

  test("lets an owner invite, change and remove people, with the keyboard alone, and protects the last owner", async () => {
    const { clanId, name } = await newClan();
    const other = await newClan();
    const ada = other.name("olga");
    const page = await openPeople(name("olga"));
    const table = page.getByRole("table", { name: "People" });
    await table.getByRole("row", { name: /olga.*you.*the last owner.*Owner.*Active/ }).waitFor();
    expect(await table.getByRole("columnheader").allTextContents()).toEqual(["Name", "Role", "Last sign-in", "Status"]);
    for (const action of ["Change role", "Remove"])
      expect(await table.getByRole("button", { name: action, exact: true }).isDisabled()).toBe(true);
    const order = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allTextContents();
    expect(order[order.indexOf("API keys") + 1]).toBe("People");

    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Invite person" }).press("Enter");
    await dialog.getByRole("button", { name: "Create link" }).press("Enter");
    await dialog.getByText(/^Name must be/).waitFor();
    await expectReadable(page);
    await page.keyboard.type(`Bob-${name("x")}`);
    await dialog.getByLabel("Role").selectOption("Owner: may do everything in the clan");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Create link" }).press("Enter");
    const link = dialog.getByLabel("Invitation link");
    expect(await link.inputValue()).toContain(`${dashboard.url}/link#`);
    expect(await link.getAttribute("readonly")).not.toBeNull();
    await dialog.getByRole("button", { name: "Copy" }).waitFor();
    await expectReadable(page);
    await dialog.getByRole("button", { name: "Done" }).press("Enter");
    const bob = table.getByRole("row", { name: /bob-x.*Owner.*never.*Invited/i });
    await bob.waitFor();

    await page.getByRole("button", { name: "Invite person" }).press("Enter");
    await dialog.getByLabel("Name").fill(ada);
    await dialog.getByRole("button", { name: "Create link" }).press("Enter");
    const adasLink = await link.inputValue();
    await dialog.getByRole("button", { name: "Done" }).press("Enter");
    await table.getByRole("row", { name: new RegExp(`${ada}.*Viewer.*never.*Invited`) }).waitFor();
    await acceptInvitation(adasLink, ada, { from: name("olga") });
    await table.getByRole("row", { name: new RegExp(`${ada}.*Viewer.*Active`) }).waitFor();

    await bob.getByRole("button", { name: "Change role", exact: true }).press("Enter");
    await dialog.getByLabel("Role").selectOption("Viewer: may read everything of the clan");
    await dialog.getByRole("button", { name: "Change role" }).press("Enter");
    await table.getByRole("row", { name: /bob-x.*Viewer/ }).waitFor();

    await bob
      .page()
      .getByRole("row", { name: /bob-x/ })
      .getByRole("button", { name: "Remove", exact: true })
      .press("Enter");
    const confirm = dialog.getByRole("button", { name: "Remove", exact: true });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill(`bob-${name("x")}`);
    await dialog.getByRole("textbox").press("Enter");
    await table.getByRole("row", { name: /bob-x/ }).waitFor({ state: "detached" });
    expect((await dashboard.cli.json("audit", "list", "--clan", clanId)).answer.records[0].action).toBe(
      "account.revoke",
    );
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
    await own.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("dialog").getByRole("textbox").fill(vic);
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.waitForURL(`${dashboard.url}/clans/${first.clanId}/overview`);
    expect((await second.people()).map((person: any) => person.name)).toStrictEqual([second.name("olga")]);
  });
});
