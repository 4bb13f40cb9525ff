// What is done in the dashboard for each picture: the steps of the guides that docs/how-to/clan-owner.md lists, by an
// owner of the sample clan.
import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { z } from "zod";
import type { SampleClan } from "./sample-clan.ts";
import { chooseIn, fill, openAccountMenu, openPage, press, shows, submit } from "../apps/dashboard/steps.ts";
import { callerOf } from "../support/http.ts";
import { listenLocally } from "../support/listen-locally.ts";

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
  await showAwards(world);
  await changeRanks(world);
  await reverseLeakedKey(world);
  await addBoosts(world);
  await showBoards(world);
  await showPublicPage(world);
  await showRecords(world);
  await showClans(world);
}

async function signIn({ page, clan, invite, keep }: World): Promise<void> {
  await page.goto(await invite("ada@example.com", "--clan", clan.clanId, "--role", "owner"));
  await fill(page, { "New password": PASSWORD });
  await keep("sign-in-link", 480);
  await press(page, "Set password and sign in");
  await shows(page, "Overview");
  await page.getByRole("list", { name: "Newest awards" }).waitFor();
  await page.getByRole("list", { name: "Top this week" }).waitFor();
  await page
    .getByText(/counting …|being counted/)
    .first()
    .waitFor({ state: "detached" });
  await keep("overview", 820);
}

async function findTheWay({ page, keep }: World): Promise<void> {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await fill(palette, { "Search pages, members, actions and clans": "oa" });
  await palette.getByRole("option", { name: /Oakley/ }).waitFor();
  await keep("palette", 560);
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "hidden" });
  await openAccountMenu(page);
  await page.getByRole("radio", { name: "Dark" }).check();
  await keep("dark");
  await page.getByRole("radio", { name: "System" }).check();
  await page.keyboard.press("Escape");
}

/** The new key awards once, so that the note turns. */
async function createKey({ page, clan, apiUrl, keep }: World): Promise<void> {
  await openPage(page, "API keys");
  await press(page, "Create key");
  const dialog = page.getByRole("dialog");
  await fill(dialog, { "Largest amount": "1,000", "XP per day": "50,000", Name: "tournament" });
  await keep("create-key");
  await press(dialog, "Create");
  const secret = Secret.parse(await dialog.getByLabel("API key", { exact: true }).inputValue());
  await award(apiUrl, clan, secret);
  await page.getByText("First request received").waitFor();
  await keep("key-created");
  await press(dialog, "Done");
  await dialog.waitFor({ state: "hidden" });
  await keep("api-keys", 480);
  await chooseIn(page.getByRole("row", { name: "tournament" }), "Limits");
  await dialog.getByText("250 of 50,000").waitFor();
  await keep("key-limits", 640);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
}

async function showPeople({ page, keep }: World): Promise<void> {
  await openPage(page, "People");
  const dialog = page.getByRole("dialog");
  for (const [name, role] of [
    ["mira@example.com", "moderator"],
    ["theo@example.com", "viewer"],
  ] as const) {
    await press(page, "Invite person");
    await submit(dialog, { Name: name, Role: role }, "Create link");
    await dialog.getByLabel("Invitation link").waitFor();
    await press(dialog, "Done");
    await page.getByRole("row", { name }).waitFor();
  }
  await keep("people", 640);
}

async function award(apiUrl: string, { clanId, platformId }: SampleClan, secret: string): Promise<void> {
  const caller = callerOf(Number(new URL(apiUrl).port), secret, `/v0/clans/${clanId}`);
  const sent = { amount: 250, reason: "won the tournament" };
  const { status, body } = await caller.post(`/members/${platformId}/xp`, sent, {
    "idempotency-key": "tournament-1/first",
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
}

const IMPORTED = "platformId,xp,membership\nmoonlark,1250,true\nbasalt,640,true\nwren_9,1.5,true\nhollow-ash,80,true\n";

async function showMembers({ page, clan, keep }: World): Promise<void> {
  await openPage(page, "Members");
  await page.getByRole("link", { name: clan.platformId }).waitFor();
  await page.getByLabel("Period").waitFor();
  await keep("members");
  await showIdle({ page, keep });
  await showGains({ page, keep });
  await chooseIn(page.getByRole("main"), "Import CSV");
  const file = { name: "members.csv", mimeType: "text/csv", buffer: Buffer.from(IMPORTED) };
  await page.getByLabel("CSV file").setInputFiles(file);
  await press(page, "Check");
  await page.getByText(/^Line 4: /).waitFor();
  await keep("import-members");
  await press(page, "Cancel");
  await page.getByRole("link", { name: clan.platformId }).click();
  await page.getByRole("heading", { level: 1, name: clan.platformId }).waitFor();
  await page.getByRole("row", { name: /won the tournament/ }).waitFor();
  const loaded = page.waitForResponse(/range=7d/);
  await fill(page, { Range: "7 days" });
  await loaded;
  await keep("member", 1000);
  await fill(page, { Gained: true, Range: "30 days" });
  await page.getByRole("slider", { name: /^XP gained by day/ }).scrollIntoViewIfNeeded();
  await keep("member-gains", 640);
  await press(page.getByRole("row", { name: /won the tournament/ }), "Actions");
  await page.getByRole("menuitem", { name: "Reverse" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Takes back 250 XP").waitFor();
  await fill(dialog, { Reason: "not a tournament match" });
  await keep("reverse-award");
  await press(dialog, "Reverse");
  await page.getByRole("row", { name: /not a tournament match/ }).waitFor();
  await chooseIn(page.getByRole("main"), "Erase");
  await dialog.getByRole("textbox").waitFor();
  await keep("erase-member", 560);
  await page.keyboard.press("Escape");
}

async function showIdle({ page, keep }: Pick<World, "page" | "keep">): Promise<void> {
  await fill(page, { "Last award": "Not in 7 days" });
  for (const name of ["hermit", "old_salt"]) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
  await keep("idle-members", 480);
  await press(page, "Clear");
  await fill(page, { "Last award": "Any time" });
}

async function showGains({ page, keep }: Pick<World, "page" | "keep">): Promise<void> {
  await fill(page, { Period: "Custom…" });
  await press(page, "Show");
  await page.getByRole("table", { name: "Gains" }).waitFor();
  await keep("gains");
  await fill(page, { Period: "All time" });
}

async function showAwards({ page, keep }: World): Promise<void> {
  await openPage(page, "Awards");
  const first = page.getByRole("table", { name: "Awards" }).getByRole("row").filter({ hasText: /m-\d+/ }).first();
  await first.getByRole("button", { name: /^m-/ }).click();
  await page.getByRole("button", { name: "Reverse these…", disabled: false }).waitFor();
  await keep("awards", 640);
}

async function changeRanks({ page, keep }: World): Promise<void> {
  await openPage(page, "Ranks");
  await page.getByRole("row", { name: "Rank Elite" }).getByLabel("Threshold").fill("12000");
  await press(page, "Preview");
  await page.getByRole("table", { name: "Preview" }).scrollIntoViewIfNeeded();
  await keep("ranks-preview");
  await press(page, "Save");
  await page.getByText("Ranks saved").first().waitFor();
}

async function reverseLeakedKey({ page, clan: { leaked }, keep }: World): Promise<void> {
  await openPage(page, "API keys");
  await chooseIn(page.getByRole("row", { name: leaked.keyName }), "Revoke");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(leaked.keyName);
  await dialog.getByRole("checkbox", { name: "The key has leaked" }).check();
  await press(dialog, "Revoke key");
  await press(dialog, "Preview");
  const reverse = dialog.getByRole("button", { name: `Reverse ${leaked.awards} awards` });
  await reverse.waitFor();
  await keep("leaked-key");
  await reverse.click();
  await dialog.getByText(`${leaked.awards} awards are reversed`).waitFor();
  await press(dialog, "Done");
}

async function addBoosts({ page, keep }: World): Promise<void> {
  await openPage(page, "Boosts");
  const dialog = page.getByRole("dialog");
  for (const [name, factor, when] of [
    ["Evening event", "1.5", "From now on"],
    ["Double XP", "2", "On the next weekends"],
  ] as const) {
    await press(page, "Add boost");
    await submit(dialog, { Name: name, Factor: factor, When: when }, "Add");
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

async function showPublicPage({ page, keep }: World): Promise<void> {
  await openPage(page, "Public page");
  await submit(page, { Address: "night-owls" }, "Publish");
  await page.getByRole("button", { name: "Copy link" }).waitFor();
  // They show their new state when it is stored.
  for (const name of ["Names", "Embedding"]) await page.getByRole("switch", { name }).click();
  await page.getByLabel("Web sites").waitFor();
  await page.frameLocator("iframe").getByRole("heading", { name: "Members" }).waitFor();
  await keep("public-page-settings", 940);
  const back = page.url();
  const url = `${new URL(back).origin}/c/night-owls`;
  await page.goto(url);
  await keep("public-page", 900);
  const body = `<!doctype html><html lang="en"><title>Night Owls</title><body style="margin: 0; font-family: sans-serif">
<header style="background: #1e1b4b; color: #fff; padding: 24px 48px; font-size: 24px">Night Owls</header>
<main style="margin: 24px 48px"><p>Our best members of all time:</p>
<iframe src="${url}/embed?rows=8" width="560" height="360" style="border: 0"></iframe></main></body></html>`;
  const site = await listenLocally(createServer((_, res) => res.setHeader("content-type", "text/html").end(body)));
  await page.goto(site.url);
  await page.frameLocator("iframe").getByRole("listitem").first().waitFor();
  await keep("embedded-board", 560);
  await site.close();
  await page.goto(back);
}

async function showRecords({ page, keep }: World): Promise<void> {
  await openPage(page, "Events");
  const events = page.getByRole("row", { name: /Ranks changed/ });
  await events.first().waitFor();
  await keep("events", 640);
  await openPage(page, "Destinations");
  await page.getByRole("table", { name: "Destinations" }).waitFor();
  await keep("destinations", 480);
  await openPage(page, "Audit log");
  await press(page.getByRole("row", { name: /changed the threshold of Elite/ }), "Details");
  await keep("audit-log", 640);
}

async function showClans({ page, invite, keep }: World): Promise<void> {
  await page.goto(await invite("ops@example.com", "--operator"));
  await submit(page, { "New password": PASSWORD }, "Set password and sign in");
  await openPage(page, "Clans");
  await page.getByRole("table", { name: "Clans" }).waitFor();
  await keep("clans", 560);
}
