// What is done in the dashboard for each picture: the steps of the guides that docs/how-to/clan-owner.md lists, by an
// owner of the sample clan.
import type { Page } from "playwright-core";
import { z } from "zod";
import type { SampleClan } from "./sample-clan.ts";

type World = {
  page: Page;
  clan: SampleClan;
  apiUrl: string;
  /** Invites an account, and resolves with its link. */
  invite(...args: string[]): Promise<string>;
  /** Takes the picture of what is seen now. `height`: where the page is shorter than the window. */
  keep(name: string, height?: number): Promise<void>;
};

const PASSWORD = "correct horse battery";
const Secret = z.string().startsWith("cxp_");

export async function takeShots(world: World): Promise<void> {
  await signIn(world);
  await findTheWay(world);
  await createKey(world);
  await showPeople(world);
  await showMembers(world);
  await changeRanks(world);
  await reverseLeakedKey(world);
  await addBoosts(world);
  await showBoards(world);
  await showRecords(world);
  await showClans(world);
}

async function signIn({ page, clan, invite, keep }: World): Promise<void> {
  await page.goto(await invite("ada@example.com", "--clan", clan.clanId, "--role", "owner"));
  await page.getByLabel("New password").fill(PASSWORD);
  await keep("sign-in-link", 480);
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.getByRole("table", { name: "Newest awards" }).waitFor();
  await keep("overview", 1040);
}

async function findTheWay({ page, keep }: World): Promise<void> {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await palette.getByLabel("Search pages, members and clans").fill("oa");
  await palette.getByRole("option", { name: /Oakley/ }).waitFor();
  await keep("palette", 560);
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "hidden" });
  await page.getByRole("radio", { name: "Dark" }).check();
  await keep("dark");
  await page.getByRole("radio", { name: "System" }).check();
}

/** The new key awards once, so that the note turns. */
async function createKey({ page, clan, apiUrl, keep }: World): Promise<void> {
  await openPage(page, "API keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Largest amount").fill("1,000");
  await dialog.getByLabel("XP per day").fill("50,000");
  await dialog.getByLabel("Name").fill("tournament");
  await keep("create-key");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  const secret = Secret.parse(await dialog.getByLabel("API key", { exact: true }).inputValue());
  await award(apiUrl, clan, secret);
  await page.getByText("First request received").waitFor();
  await keep("key-created");
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.waitFor({ state: "hidden" });
  await keep("api-keys", 480);
  await page.getByRole("button", { name: "Actions of tournament" }).click();
  await page.getByRole("menuitem", { name: "Limits" }).click();
  await dialog.getByText("250 of 50,000").waitFor();
  await keep("key-limits", 640);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
}

async function showPeople({ page, keep }: World): Promise<void> {
  await openPage(page, "People");
  const dialog = page.getByRole("dialog");
  for (const name of ["mira@example.com", "theo@example.com"]) {
    await page.getByRole("button", { name: "Invite person" }).click();
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("button", { name: "Create link" }).click();
    await dialog.getByLabel("Invitation link").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name }).waitFor();
  }
  await keep("people", 480);
}

async function award(apiUrl: string, { clanId, platformId }: SampleClan, secret: string): Promise<void> {
  const response = await fetch(`${apiUrl}/v0/clans/${clanId}/members/${platformId}/xp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${secret}`,
      "content-type": "application/json",
      "idempotency-key": "tournament-1/first",
    },
    body: JSON.stringify({ amount: 250, reason: "won the tournament" }),
  });
  if (!response.ok) throw new Error(await response.text());
}

const IMPORTED = "platformId,xp,membership\nmoonlark,1250,true\nbasalt,640,true\nwren_9,1.5,true\nhollow-ash,80,true\n";

async function showMembers({ page, clan, keep }: World): Promise<void> {
  await openPage(page, "Members");
  await page.getByRole("link", { name: clan.platformId }).waitFor();
  await page.getByLabel("Period").waitFor();
  await keep("members");
  await page.getByRole("button", { name: "Import CSV" }).click();
  await page
    .getByLabel("CSV file")
    .setInputFiles({ name: "members.csv", mimeType: "text/csv", buffer: Buffer.from(IMPORTED) });
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText(/^Line 4: /).waitFor();
  await keep("import-members");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("link", { name: clan.platformId }).click();
  await page.getByRole("heading", { level: 1, name: clan.platformId }).waitFor();
  await page.getByRole("row", { name: /won the tournament/ }).waitFor();
  await page.getByLabel("Range").selectOption({ label: "7 days" });
  await keep("member", 1000);
  await page
    .getByRole("row", { name: /won the tournament/ })
    .getByRole("button", { name: "Actions" })
    .click();
  await page.getByRole("menuitem", { name: "Reverse" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Takes back 250 XP").waitFor();
  await dialog.getByLabel("Reason").fill("not a tournament match");
  await keep("reverse-award");
  await dialog.getByRole("button", { name: "Reverse" }).click();
  await page.getByRole("row", { name: /not a tournament match/ }).waitFor();
  await page.getByRole("button", { name: "Erase" }).click();
  await dialog.getByRole("textbox").waitFor();
  await keep("erase-member", 560);
  await page.keyboard.press("Escape");
}

async function changeRanks({ page, keep }: World): Promise<void> {
  await openPage(page, "Ranks");
  await page.getByRole("row", { name: "Rank Elite" }).getByLabel("Threshold").fill("12000");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("table", { name: "Preview" }).scrollIntoViewIfNeeded();
  await keep("ranks-preview");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Ranks saved").first().waitFor();
}

async function reverseLeakedKey({ page, clan: { leaked }, keep }: World): Promise<void> {
  await openPage(page, "API keys");
  await page.getByRole("button", { name: `Actions of ${leaked.keyName}` }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(leaked.keyName);
  await dialog.getByRole("checkbox", { name: "The key has leaked" }).check();
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await dialog.getByRole("button", { name: "Preview" }).click();
  const reverse = dialog.getByRole("button", { name: `Reverse ${leaked.awards} awards` });
  await reverse.waitFor();
  await keep("leaked-key");
  await reverse.click();
  await dialog.getByText(`${leaked.awards} awards are reversed`).waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
}

async function addBoosts({ page, keep }: World): Promise<void> {
  await openPage(page, "Boosts");
  const dialog = page.getByRole("dialog");
  for (const [name, factor, when] of [
    ["Evening event", "1.5", "From now on"],
    ["Double XP", "2", "On the next weekends"],
  ] as const) {
    await page.getByRole("button", { name: "Add boost" }).click();
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Factor").fill(factor);
    await dialog.getByLabel("When").selectOption(when);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("row", { name }).waitFor();
    await dialog.waitFor({ state: "hidden" });
  }
  await keep("boosts", 480);
}

async function showBoards({ page, keep }: World): Promise<void> {
  await openPage(page, "Boards");
  await page.getByRole("table", { name: "Boards" }).waitFor();
  await keep("boards", 480);
  await page.getByRole("link", { name: "Winter season" }).click();
  await page.getByRole("table", { name: "Standings" }).waitFor();
  await keep("standings", 640);
}

async function showRecords({ page, keep }: World): Promise<void> {
  await openPage(page, "Events");
  await page
    .getByRole("row", { name: /ranks\.changed/ })
    .first()
    .waitFor();
  await keep("events", 640);
  await openPage(page, "Destinations");
  await page.getByRole("table", { name: "Destinations" }).waitFor();
  await keep("destinations", 480);
  await openPage(page, "Audit log");
  await page
    .getByRole("row", { name: /changed the threshold of Elite/ })
    .getByRole("button", { name: "Details" })
    .click();
  await keep("audit-log", 640);
}

async function showClans({ page, invite, keep }: World): Promise<void> {
  await page.goto(await invite("ops@example.com", "--operator"));
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await page.getByRole("link", { name: "Clans", exact: true }).click();
  await page.getByRole("table", { name: "Clans" }).waitFor();
  await keep("clans", 560);
}

async function openPage(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}
