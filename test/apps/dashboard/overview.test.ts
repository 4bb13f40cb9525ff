// What the overview says is what the ledger holds, in a real browser too.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { docOfEntry, type EntryDoc } from "#ledger/store/entry-model.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { cliOn } from "../../support/cli.ts";
import { makeEntry } from "../../support/entry.ts";
import { describePages, expectReadable, expectUsable } from "./browser.ts";
import { type Visitor, useDashboard } from "./dashboard-world.ts";
import { fill, openPage, press, shows } from "./steps.ts";

const HOUR_MS = 3_600_000;
/** The initials beside one line of text, and another line in small. */
const TWO_LINES_PX = 56;

const dashboard = await useDashboard();
const { port } = await dashboard.world.startApi();

/** An erasure also deletes what Redis holds. */
const cli = cliOn({ MONGO_URL: dashboard.world.mongoUrl, REDIS_URL: dashboard.world.redisUrl });
const erase = ({ clanId }: ClanCaller, platformId: string) => cli.json("member", "erase", clanId, platformId, "--yes");
async function newClan(personName: string, role: "owner" | "viewer" = "owner", changes = {}) {
  const clan = await makeClanCaller(dashboard.world, port, changes);
  return { clan, person: await dashboard.signedIn(personName, role, clan.clanId) };
}
/** Has the API project its awards now. A dashboard asks it for that, too, but waits for a limited time. */
const project = (clan: ClanCaller) => clan.get("/members");

/** Entries of this many members, each with this XP, so many hours ago. */
async function insertOld({ clanId }: ClanCaller, hours: number, { members = 1, xp = 10n } = {}): Promise<void> {
  const ledger = dashboard.world.database.db().collection<EntryDoc>("ledger");
  const at = new Date(Date.now() - hours * HOUR_MS);
  const entries = Array.from({ length: members }, (_, index) =>
    makeEntry({ clanId, platformId: `old-${hours}-${index}`, amount: xp, applied: xp, xp, at }),
  );
  await ledger.insertMany(entries.map(docOfEntry));
}

/** What a dashboard answers to the person about the clan once everything is counted. */
async function counted(path: string, { clanId }: ClanCaller, visitor: Visitor, url = dashboard.url): Promise<any> {
  for (;;) {
    const headers = { cookie: visitor.cookie() ?? "" };
    const read: any = await (await fetch(`${url}/api/clans/${clanId}/${path}`, { headers })).json();
    if (read.asOf !== null && read.before?.awards !== null && read.top !== "counting") return read;
  }
}

test("the overview has the awards and XP of a range and of the range before, and names what is unknown", async () => {
  const { clan, person: owner } = await newClan("ann");
  const empty = { members: 0, newest: [], range: { awards: 0, xp: "0", joined: 0 } };
  expect(await counted("overview", clan, owner)).toMatchObject(empty);
  await clan.award("ada", { amount: 100, reason: "played" });
  await clan.award("bob", { amount: 50 });
  await clan.award("bob", { amount: -80 }); // ends at the floor: 50 are taken
  await project(clan);
  for (const hours of [5, 30, 24 * 5, 24 * 10]) await insertOld(clan, hours, { members: 2, xp: 7n });

  const url = await dashboard.startAnother();
  const read = (range: string) => counted(`overview?range=${range}&timeZone=Europe/Berlin`, clan, owner, url);
  const before = { awards: 2, xp: "14", joined: 2 };
  const day = await read("24h");
  expect(day).toMatchObject({ range: { awards: 5, xp: "114", joined: 4 }, before });
  expect(day.range.spans).toHaveLength(day.before.spans.length);
  expect(await read("7d")).toMatchObject({ range: { awards: 9, xp: "142", joined: 8 }, before });
  expect(day.newest.slice(0, 3)).toMatchObject([
    { platformId: "bob", applied: "-50" },
    { platformId: "bob", applied: "50" },
    { platformId: "ada", applied: "100" },
  ]);
  // Of the documents of members, not of the entries that were inserted here.
  expect([day.xp, day.members]).toEqual(["100", 2]);
  for (const unknown of ["range=2h", "timeZone=Mars/Base"]) {
    const { status, body } = await owner.get(`/api/clans/${clan.clanId}/overview?${unknown}`);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(unknown.split("=")[0] ?? "")]);
  }
});

test("the members who gained the most are those of the API's gains in the last seven days, also who has left", async () => {
  const { clan, person: owner } = await newClan("tom");
  await insertOld(clan, 24 * 8, { xp: 9_000n });
  const gains = { ann: 300, ben: 1_200, cid: 500, dan: 900 };
  for (const [platformId, amount] of Object.entries(gains)) await clan.award(platformId, { amount });
  await clan.award("ben", { amount: -100 });
  await project(clan);
  await dashboard.cli.json("member", "remove", clan.clanId, "cid");
  await erase(clan, "dan");
  const { top, ranks } = await counted("highlights", clan, owner);
  expect(top.map(({ member, gained }: any) => [member.platformId, gained])).toEqual([
    ["ben", "1100"],
    ["cid", "500"],
    ["ann", "300"],
  ]);
  const [from, to] = [Date.now() - 24 * 7 * HOUR_MS, Date.now() + HOUR_MS].map((ms) => new Date(ms).toISOString());
  const { members } = (await clan.get(`/gains?from=${from}&to=${to}`)).body;
  expect(members.map(({ platformId, xp }: any) => [platformId, xp])).toEqual(
    top.map(({ member, gained }: any) => [member.platformId, gained]),
  );
  expect(ranks).toEqual([
    { name: "Guest", members: 0 },
    { name: "Recruit", members: 1 },
    { name: "Veteran", members: 1 },
    ...["Elite", "Officer", "Chief"].map((name) => ({ name, members: 0 })),
  ]);
}, 60_000);

test("the XP of keys is the same in the range, the list, the gains and the board; what people gave and imported is apart", async () => {
  const { clan, person: owner } = await newClan("una");
  await dashboard.cli.json("board", "set", clan.clanId, "month", "--every", "month", "--time-zone", "UTC");
  await clan.award("ann", { amount: 700 });
  const { awardId } = (await clan.awardChange("ben", { amount: 90 })).body.change;
  await clan.award("ben", { amount: 40 });
  const path = `/api/clans/${clan.clanId}`;
  const gift = { amount: 3_315, reason: "event", changeId: crypto.randomUUID() };
  await owner.post(`${path}/members/ann/xp`, gift);
  const csv = "platform_id,xp,membership\nann,5000,\ncid,1000,true\n";
  await owner.post(`${path}/members/import`, { csv, name: "old", dryRun: false });
  await dashboard.world.startWorker();
  const reversal = `${path}/members/ben/awards/${awardId}/reversal`;
  expect((await owner.post(reversal, { reason: "cheating" })).status).toBe(200);
  await project(clan);

  const { range } = await counted("overview?range=7d&timeZone=UTC", clan, owner, await dashboard.startAnother());
  expect(range).toMatchObject({ awards: 3, xp: "740", byHand: "3315", imported: "6000" });
  const { top } = await counted("highlights", clan, owner);
  expect(top.map(({ member, gained }: any) => [member.platformId, gained])).toEqual([
    ["ann", "700"],
    ["ben", "40"],
  ]);
  const standings = (await clan.get("/boards/month/periods/current/members")).body;
  expect(standings.members.map(({ platformId, xp }: any) => [platformId, xp])).toEqual([
    ["ann", "700"],
    ["ben", "40"],
  ]);
}, 60_000);

test("an erased member is in no count of the overview, and rebuild also counts what was added manually", async () => {
  const { clan, person: owner } = await newClan("eva");
  await insertOld(clan, 50, { members: 3 });
  const rangeOn = async (url: string) => (await counted("overview?range=7d", clan, owner, url)).range;
  const [before, after] = [await dashboard.startAnother(), await dashboard.startAnother()];
  expect((await rangeOn(before)).awards).toBe(3);
  await erase(clan, "old-50-1");
  expect(await rangeOn(after)).toMatchObject({ awards: 2, xp: "20", joined: 2 });
  await insertOld(clan, 49, { members: 4 });
  expect((await rangeOn(after)).awards).toBe(2);
  await dashboard.cli.json("rebuild", "--clan", clan.clanId);
  expect((await rangeOn(after)).awards).toBe(6);
}, 60_000);

describePages("the overview page", (browser) => {
  async function open(name: string): Promise<Page> {
    const page = await browser.openAs(name, dashboard.url);
    await shows(page, "Overview");
    return page;
  }
  const card = (page: Page, label: string) =>
    page.locator("dl > div").filter({ has: page.getByText(label, { exact: true }) });

  test("shows four steps until all are done, each of which ticks itself, and the overview with the first award", async () => {
    const guest = { ranks: [{ name: "Guest", kind: "GUEST" }] };
    const { clan } = await newClan("bea", "owner", guest);
    const page = await open("bea");
    const steps = page.getByRole("list", { name: "First steps" });
    await steps.getByRole("heading", { name: "Create a key done" }).waitFor();
    await steps.getByText("Waiting for the first award").waitFor();
    await page.getByText("No awards yet.").waitFor();
    for (const name of ["Set ranks", "Invite somebody"])
      await steps.getByRole("heading", { name, exact: true }).waitFor();
    await expectUsable(page);
    await steps.getByRole("link", { name: "Set ranks" }).click();
    await press(page, "Guild");
    await page.getByText("6 changes").waitFor();
    expect(await page.getByRole("button", { name: "Guild", exact: true }).count()).toBe(0);
    await expectUsable(page);
    await press(page, "Save");
    await page.getByText("Ranks saved").waitFor();
    await openPage(page, "Overview");
    await steps.getByRole("heading", { name: "Set ranks done" }).waitFor();
    await clan.award("newcomer", { amount: 4_500, reason: "won" });
    const newest = page.getByRole("list", { name: "Newest awards" }).getByRole("listitem");
    await newest.filter({ hasText: /newcomer\s*\+4,500\s*won\s*just now$/ }).waitFor();
    await steps.getByRole("heading", { name: "Send the first award done" }).waitFor();
    expect(await card(page, "Awards, last 24 hours").innerText()).toMatch(/^Awards, last 24 hours\s+1$/);
    expect(await card(page, "XP, last 24 hours").innerText()).toMatch(/^XP, last 24 hours\s+4,500$/);
    // The members may be counted later, from other documents.
    await expect.poll(() => card(page, "Members").innerText()).toMatch(/^Members\s+1\s+\+1 in the last 24 hours$/);
    await expectUsable(page);
    await dashboard.cli.json("account", "invite", "ben", "--clan", clan.clanId, "--role", "viewer");
    await steps.waitFor({ state: "detached" });
  });

  test("keeps the steps until the person dismisses them in this browser", async () => {
    await newClan("dan");
    const page = await open("dan");
    const steps = page.getByRole("list", { name: "First steps" });
    await steps.waitFor();
    await press(page, "Dismiss");
    await steps.waitFor({ state: "detached" });
    await page.reload();
    await page.getByText("No awards yet.").waitFor();
    expect(await steps.count()).toBe(0);
  });

  test("shows the same numbers by mouse, by keyboard and as a table, for each range", async () => {
    const { clan } = await newClan("kim", "viewer", { xpFloor: null });
    for (let index = 0; index < 3; index += 1) await clan.award(`p${index}`, { amount: 1_500 });
    await clan.award("p0", { amount: -6_000 });
    await insertOld(clan, 24 * 3, { members: 5, xp: 1_000n });
    const page = await open("kim");
    const chart = (name: string) => page.getByRole("slider", { name });
    await chart("Awards in the last 24 hours").waitFor();
    await fill(page, { Range: "1 hour" });
    const hour = chart("Awards in the last 1 hour");
    await hour.focus();
    const tooltip = page.getByTestId("chart-tooltip");
    // The awards may be of two or more minutes, and the minutes move on.
    const newestMinutes = async (): Promise<number> => {
      let sum = 0;
      for (const key of ["End", ...Array.from({ length: 5 }, () => "ArrowLeft")]) {
        await page.keyboard.press(key);
        await tooltip.waitFor();
        const text = (await hour.getAttribute("aria-valuetext")) ?? "";
        sum += Number(/: (\d+) awards?, 0 awards in the 1 hour before$/.exec(text)?.[1]);
      }
      return sum;
    };
    await expect.poll(newestMinutes).toBe(4);
    await page.keyboard.press("Escape");
    expect(await tooltip.count()).toBe(0);

    // XP that was taken is not shown as XP that was given.
    await page.getByRole("radio", { name: "XP" }).click();
    await fill(page, { Range: "7 days" });
    await chart("XP in the last 7 days").hover({ position: { x: 300, y: 60 } });
    await tooltip.waitFor();
    await page.getByText("Show the numbers").click();
    const numbers = page.getByRole("table", { name: "XP in the last 7 days" });
    await numbers.getByRole("cell", { name: "\u22121,500" }).first().waitFor();
    await numbers.getByRole("cell", { name: "5,000" }).waitFor();
    expect(await card(page, "XP, last 7 days").innerText()).toMatch(/^XP, last 7 days\s+3,500/);
    await expectReadable(page);
  });

  test("shows a clan without NORMAL ranks, and one with 300 members", async () => {
    const { clan } = await newClan("max", "viewer", { ranks: [{ name: "Guest", kind: "GUEST" }] });
    const awards = Array.from({ length: 300 }, (_, index) => ({ platformId: `m-${index}`, amount: 1_000 + index }));
    for (let from = 0; from < awards.length; from += 50) await clan.awards(awards.slice(from, from + 50));
    await project(clan);
    const page = await open("max");
    const top = page.getByRole("list", { name: "Top this week" }).getByRole("listitem");
    await top.first().getByText("+1,299").waitFor();
    expect(await top.count()).toBe(10);
    await page.getByRole("list", { name: "Ranks" }).getByText("300").waitFor();
    expect(await card(page, "Members").innerText()).toMatch(/^Members\s+300/);
    await expectReadable(page);
  });

  test("shows each of the top members and of the newest awards in at most two lines of a phone", async () => {
    const { clan } = await newClan("pia", "viewer");
    const names = ["a name of many words, as a person writes it who wants to be seen", "N".repeat(64)];
    for (const platformId of ["q", "words", "letters", "w".repeat(64)]) await clan.award(platformId, { amount: 1_500 });
    const named = ["words", "letters"].map((platformId, at) => ({ platformId, name: names[at] }));
    await clan.post("/names", { names: named });
    const page = await open("pia");
    const top = page.getByRole("list", { name: "Top this week" }).getByRole("listitem");
    await top.nth(3).waitFor();
    const newest = page.getByRole("list", { name: "Newest awards" }).getByRole("listitem");
    await page.setViewportSize({ width: 390, height: 844 });
    for (const row of [...(await top.all()), ...(await newest.all())])
      expect((await row.boundingBox())?.height).toBeLessThanOrEqual(TWO_LINES_PX);
    await expectReadable(page);
  });
});
