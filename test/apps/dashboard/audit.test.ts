// The audit log in the dashboard: its filters, its export, reversals with their pages, and the page in a real browser.
import { beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { ERASED } from "#domain/erased.ts";
import { cliOn, type CommandLine } from "../../support/cli.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { expectReadable, noBrowser, useBrowser } from "./browser.ts";
import { makeVisitor, type Visitor, useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();
let cli: CommandLine;
let clan: ClanCaller;
let [ada, vic, eve] = [] as unknown as [Visitor, Visitor, Visitor];
let api: string;
let keyId: string;
beforeAll(async () => {
  const { world } = dashboard;
  cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, CLANXP_ACTOR: "ops" });
  const { port } = await world.startApi();
  await world.startWorker();
  clan = await makeClanCaller(world, port);
  api = `/api/clans/${clan.clanId}`;
  ada = await dashboard.signedIn("ada", "owner", clan.clanId);
  vic = await dashboard.signedIn("vic", "viewer", clan.clanId);
  eve = await dashboard.signedIn("eve", "owner", (await makeClanCaller(world, port)).clanId);
  ({ keyId } = (await cli.json("key", "create", clan.clanId, "--name", "game")).answer);
}, 120_000);

const recordsOf = async (query = ""): Promise<any[]> => (await ada.get(`${api}/audit${query}`)).body.records;

async function give(platformId: string, amount: number, reason: string): Promise<void> {
  const body = { amount, reason, changeId: crypto.randomUUID() };
  expect((await ada.post(`${api}/members/${platformId}/xp`, body)).status).toBe(200);
}

/** Reverses an award of the member, and returns the reversal's id once it is done. */
async function reverseOne(platformId: string, reason: string): Promise<string> {
  const { awardId } = (await clan.awardChange(platformId, { amount: 50, reason: "match" })).body.change;
  const { body } = await ada.post(`${api}/members/${platformId}/awards/${awardId}/reversal`, { reason });
  await until(async () => (await ada.get(`${api}/reversals/${body.reversalId}`)).body.status === "done");
  return body.reversalId;
}

describe("the audit log", () => {
  test("names what a record changed, also in the record of its end", async () => {
    const [created] = await recordsOf("?action=key.create");
    expect(created).toMatchObject({ target: keyId, targetName: "game" });
    await ada.post(`${api}/keys/${keyId}/revoke`);
    expect((await recordsOf("?action=key.revoke"))[0]).toMatchObject({ target: keyId, targetName: "game" });
  });

  test("is filtered by a time span, of which the end is excluded", async () => {
    await give("spanned", 1, "first");
    await give("spanned", 2, "second");
    const [second, first] = await recordsOf("?action=member.award");
    const span = `?action=member.award&from=${first.at}&to=${second.at}`;
    expect((await recordsOf(span)).map(({ after }) => after.reason)).toEqual(["first"]);
    expect(await recordsOf(`?actor=ada&from=${second.at}`)).toEqual([second]);
    const backward = await ada.get(`${api}/audit?from=${second.at}&to=${first.at}`);
    expect([backward.status, backward.body.errors]).toEqual([
      400,
      [{ pointer: "/to", detail: "must be later than from" }],
    ]);
    for (const query of ["from=yesterday", "to=2026-01-01"])
      expect((await ada.get(`${api}/audit?${query}`)).body.code).toBe("invalid_request");
  });

  test("lists who has changed something in the clan, also only members, and nobody of other clans", async () => {
    const mia = await dashboard.signedIn("mia", "owner", clan.clanId);
    const change = { amount: 1, reason: "event", changeId: crypto.randomUUID() };
    expect((await mia.post(`${api}/members/acted/xp`, change)).status).toBe(200);
    await ada.post(`${api}/keys/${keyId}/revoke`);
    await cliOn({ MONGO_URL: dashboard.world.mongoUrl, CLANXP_ACTOR: "stranger" }).run("clan", "create", "elsewhere");
    const { actors } = (await vic.get(`${api}/audit/actors`)).body;
    expect(actors).toEqual(expect.arrayContaining(["ada", "mia", "ops"]));
    expect(actors).not.toContain("stranger");
    expect(actors).toEqual([...new Set(actors as string[])].toSorted());
    expect((await eve.get(`${api}/audit/actors`)).status).toBe(403);
  });

  test("has the reason of a reversal and leads to its page, until the member is erased", async () => {
    const reversalId = await reverseOne("cheater", "cheated");
    const one = async () => (await recordsOf("?action=reversal.submit")).find(({ target }) => target === reversalId);
    expect(await one()).toMatchObject({
      actor: "ada",
      after: { by: "award", selected: 1 },
      reversal: { reason: "cheated", isStored: true },
    });
    expect((await vic.get(`${api}/reversals/${reversalId}`)).body).toMatchObject({
      actor: "ada",
      reason: "cheated",
      by: { platformId: "cheater" },
      name: null,
      reversed: 1,
    });
    await clan.post("/names", { names: [{ platformId: "cheater", name: "Chet Er" }] });
    expect((await vic.get(`${api}/reversals/${reversalId}`)).body.name).toBe("Chet Er");
    await give("cheater", 5, "sorry");
    expect((await cli.json("member", "erase", clan.clanId, "cheater", "--yes")).exitCode).toBe(0);
    expect(await one()).toMatchObject({ after: { selected: 1 }, reversal: { reason: null, isStored: false } });
    expect((await vic.get(`${api}/reversals/${reversalId}`)).status).toBe(404);
    const { body } = await vic.get(`${api}/audit.csv`);
    expect(body).toContain(`,ada gave 5 XP to an erased member,`);
    expect(body).toContain(ERASED);
    expect(body).not.toContain("cheater");
  });

  test("names the key whose awards a reversal took back", async () => {
    const args = ["--key", keyId, "--from", "2020-01-01", "--to", "2020-01-02", "--yes"];
    expect((await cli.json("reverse", clan.clanId, ...args)).exitCode).toBe(0);
    const { stdout } = await cli.run("audit", "list", "--clan", clan.clanId, "--action", "reversal.submit");
    expect(stdout).toMatch(/ reversed 0 awards of the API key game\n/);
  });
});

describe("the export of the audit log", () => {
  const rowsOf = (text: string): string[] => text.trimEnd().split("\n");

  test("has the filtered records as sentences with their details, for owners and viewers of the clan alone", async () => {
    await give("exported", 1_500, '=1+1, "quoted"');
    const exported = await vic.get(`${api}/audit.csv?actor=ada&action=member.award`);
    expect(exported.headers.get("content-disposition")).toBe(`attachment; filename=${clan.clanId}-audit.csv`);
    const [header, newest, ...rest] = rowsOf(exported.body);
    expect(header).toBe("at,actor,via,action,target,change,details");
    expect(newest).toMatch(
      /^\S+Z,ada,dashboard,member\.award,exported,"ada gave 1,500 XP to exported: =1\+1, ""quoted""","XP: 0 -> 1,500; .*Reason: =1\+1, ""quoted"""$/,
    );
    expect(rest).toHaveLength((await recordsOf("?actor=ada&action=member.award")).length - 1);
    expect(rowsOf((await vic.get(`${api}/audit.csv?actor=nobody`)).body)).toEqual([header]);
    expect((await eve.get(`${api}/audit.csv`)).status).toBe(403);
    expect((await makeVisitor(dashboard.url).get(`${api}/audit.csv`)).status).toBe(401);
    expect((await vic.get(`${api}/audit.csv?action=none.such`)).body.code).toBe("invalid_request");
  });

  test("has every record once over several reads, and no cell that a spreadsheet runs", async () => {
    const at = (index: number) => new Date(Date.UTC(2020, 0, 1) + Math.floor(index / 4));
    const record = {
      actor: "=cmd()",
      via: "cli",
      action: "clan.set",
      clanId: clan.clanId,
      target: clan.clanId,
    } as const;
    await dashboard.world.database.models.audit.insertMany(
      Array.from({ length: 450 }, (_, index) => ({
        ...record,
        at: at(index),
        before: { name: "a" },
        after: { name: `b${index}` },
      })),
    );
    const [, ...rows] = rowsOf((await vic.get(`${api}/audit.csv?actor=${encodeURIComponent("=cmd()")}`)).body);
    expect(new Set(rows.map((row) => /to b(\d+),/.exec(row)?.[1])).size).toBe(450);
    expect(rows).toHaveLength(450);
    for (const row of rows) expect(row).toMatch(/Z,'=cmd\(\),cli,clan\.set,\S+,'=cmd\(\) changed the name of the clan/);
  });
});

/** How many lines of text each row shows, those of all its cells together. */
const LINES = `[...document.querySelectorAll("tbody tr")].map((row) => {
  const { bottom } = row.getBoundingClientRect();
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  const lines = new Set();
  while (texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    for (const rect of range.getClientRects()) if (rect.bottom <= bottom) lines.add(Math.round(rect.top / 12));
  }
  return lines.size;
})`;

describe.skipIf(noBrowser !== null)("the page Audit log", { timeout: 120_000 }, () => {
  const browser = useBrowser();

  async function open(): Promise<Page> {
    const page = await browser.openAs("vic", `${dashboard.url}/clans/${clan.clanId}/audit`);
    await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
    return page;
  }

  test("tells each record in a sentence, with its details on demand, filtered, and exported as filtered", async () => {
    const list = (threshold: string) => ["--rank", "Recruit:NORMAL:100", "--rank", `Elite:NORMAL:${threshold}`];
    for (const threshold of ["20000", "12000"]) await cli.run("rank", "set", clan.clanId, ...list(threshold), "--yes");
    await give("shown", 20, "event");
    const page = await open();
    const row = page.getByRole("row", { name: /changed the threshold of Elite from 20,000 to 12,000/ });
    await row.getByRole("button", { name: "Details" }).press("Enter");
    await page.getByText("by XP, from 20,000").waitFor();
    expect(await page.getByText("Rank Recruit", { exact: true }).count()).toBe(0);
    await expectReadable(page);
    await row.getByRole("button", { name: "Details" }).press("Enter");
    await page.getByText("by XP, from 20,000").waitFor({ state: "detached" });

    await page.getByLabel("What").selectOption("member.award");
    await page.getByLabel("Who").fill("ada");
    await row.waitFor({ state: "detached" });
    await page.getByRole("row", { name: /ada gave 20 XP to shown: event/ }).waitFor();
    const offered = () => page.getByLabel("Who").evaluate((field: any) => field.list.options.length);
    await expect.poll(offered).toBeGreaterThan(1);
    await page.getByLabel("From").fill("2026-01-02T00:00");
    await page.getByLabel("To", { exact: true }).fill("2026-01-01T00:00");
    await page.getByText("To must be later than From").waitFor();
    await expectReadable(page);
    await page.getByLabel("From").fill("2020-01-01T00:00");
    await page.getByText("No changes found.").waitFor();
    await page.getByLabel("To", { exact: true }).fill("");
    await page.getByRole("row", { name: /ada gave 20 XP to shown: event/ }).waitFor();
    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export CSV" }).click();
    const download = await file;
    expect(download.suggestedFilename()).toBe(`${clan.clanId}-audit.csv`);
    expect(download.url()).toMatch(/actor=ada&action=member\.award&from=/);
  });

  test("has rows of at most two lines on a narrow screen, and leads to the page of a reversal", async () => {
    await give("lengthy", 3, "a reason of many words ".repeat(15).trim());
    await reverseOne("rigged", "the match was rigged");
    await clan.post("/names", { names: [{ platformId: "rigged", name: "Rita Gold" }] });
    const page = await open();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("row", { name: /a reason of many words/ }).waitFor();
    const heights: number[] = await page.evaluate(
      `[...document.querySelectorAll("tbody tr")].map((row) => row.getBoundingClientRect().height)`,
    );
    expect(heights.length).toBeGreaterThan(5);
    // Two lines of 24 px, and the space around them.
    expect(Math.max(...heights)).toBeLessThanOrEqual(57);
    expect(Math.max(...(await page.evaluate<number[]>(LINES)))).toBe(2);
    await page.getByRole("link", { name: /^ada reversed 1 award by its ID: the match was rigged$/ }).click();
    await page.getByRole("heading", { level: 1, name: "Reversal" }).waitFor();
    await page.getByRole("link", { name: "Rita Gold rigged" }).waitFor();
    await page.getByText("the match was rigged").waitFor();
    await page.getByRole("link", { name: "Back to the audit log" }).click();
    await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
  });
});
