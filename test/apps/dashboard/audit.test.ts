// The audit log in the dashboard: its filters, its export, reversals with their pages, and the page in a real browser.
import { describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { ERASED } from "#domain/erased.ts";
import { cliOn } from "../../support/cli.ts";
import { until } from "../../support/until.ts";
import { describePages, expectReadable } from "./browser.ts";
import { pagesOf } from "./pages-of.ts";
import { fill, press, shows } from "./steps.ts";
import { useClan } from "./use-clan.ts";

const { dashboard, clan, api, pages, owner: ada, viewer: vic } = await useClan({ worker: true });
const { mongoUrl: MONGO_URL, redisUrl: REDIS_URL } = dashboard.world;
const cli = cliOn({ MONGO_URL, REDIS_URL, CLANXP_ACTOR: "ops" });
const { keyId } = (await cli.json("key", "create", clan.clanId, "--name", "game")).answer;

const recordsOf = async (query = ""): Promise<any[]> => (await ada.get(`${api}/audit${query}`)).body.records;

async function give(platformId: string, amount: number, reason: string, person = ada): Promise<void> {
  const body = { amount, reason, changeId: crypto.randomUUID() };
  expect((await person.post(`${api}/members/${platformId}/xp`, body)).status).toBe(200);
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
    const named = { target: keyId, targetName: "game" };
    expect(await recordsOf("?action=key.create")).toContainEqual(expect.objectContaining(named));
    await ada.post(`${api}/keys/${keyId}/revoke`);
    expect(await recordsOf("?action=key.revoke")).toMatchObject([named]);
  });

  test("is filtered by actor, by action, and by a time span, of which the end is excluded", async () => {
    await give("spanned", 1, "first");
    await give("spanned", 2, "second");
    const [second, first] = await recordsOf("?actor=ada&action=member.award");
    expect(second).toMatchObject({ actor: "ada", via: "dashboard", action: "member.award", target: "spanned" });
    const span = `?action=member.award&from=${first.at}&to=${second.at}`;
    expect((await recordsOf(span)).map(({ after }) => after)).toMatchObject([{ reason: "first", xp: "1" }]);
    expect(await recordsOf(`?actor=ada&from=${second.at}`)).toEqual([second]);
    expect(await recordsOf("?actor=nobody")).toEqual([]);
    const { body } = await ada.get(`${api}/audit?from=${second.at}&to=${first.at}`);
    expect(body.errors).toEqual([{ pointer: "/to", detail: "must be later than from" }]);
  });

  test("lists who has changed something in the clan, also only members, and nobody of other clans", async () => {
    await give("acted", 1, "event", await dashboard.signedIn("mia", "owner", clan.clanId));
    await give("acted", 1, "event");
    await cliOn({ MONGO_URL, CLANXP_ACTOR: "stranger" }).run("clan", "create", "elsewhere");
    const { actors } = (await vic.get(`${api}/audit/actors`)).body;
    expect(actors).toEqual(expect.arrayContaining(["ada", "mia", "ops"]));
    expect(actors).not.toContain("stranger");
    expect(actors).toEqual([...new Set(actors as string[])].toSorted());
  });

  test("has the reason of a reversal and leads to its page, until the member is erased", async () => {
    const reversalId = await reverseOne("cheater", "cheated");
    const one = async () => (await recordsOf("?action=reversal.submit")).find(({ target }) => target === reversalId);
    const page = () => vic.get(`${api}/reversals/${reversalId}`);
    const after = { by: "award", selected: 1 };
    expect(await one()).toMatchObject({ actor: "ada", after, reversal: { reason: "cheated", isStored: true } });
    const facts = { actor: "ada", reason: "cheated", by: { platformId: "cheater" }, name: null, reversed: 1 };
    expect((await page()).body).toMatchObject(facts);
    await clan.post("/names", { names: [{ platformId: "cheater", name: "Chet Er" }] });
    expect((await page()).body.name).toBe("Chet Er");
    await give("cheater", 5, "sorry");
    expect((await cli.json("member", "erase", clan.clanId, "cheater", "--yes")).exitCode).toBe(0);
    expect(await one()).toMatchObject({ after: { selected: 1 }, reversal: { reason: null, isStored: false } });
    expect((await page()).status).toBe(404);
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

  test("is exported as filtered, in sentences with their details", async () => {
    await give("exported", 1_500, '=1+1, "quoted"');
    const { headers, body } = await vic.get(`${api}/audit.csv?actor=ada&action=member.award`);
    expect(headers.get("content-disposition")).toBe(`attachment; filename=${clan.clanId}-audit.csv`);
    const [header, newest, ...rest] = body.trimEnd().split("\n");
    expect(header).toBe("at,actor,via,action,target,change,details");
    expect(newest).toMatch(
      /^\S+Z,ada,dashboard,member\.award,exported,"ada gave 1,500 XP to exported: =1\+1, ""quoted""","XP: 0 -> 1,500; .*Reason: =1\+1, ""quoted"""$/,
    );
    expect(rest).toHaveLength((await recordsOf("?actor=ada&action=member.award")).length - 1);
  });

  test("has every record once, newest first, over all its pages and all reads of its export", async () => {
    const facts = {
      actor: "=cmd()",
      via: "cli",
      action: "clan.set",
      clanId: clan.clanId,
      target: clan.clanId,
    } as const;
    // Several in each moment.
    const at = (index: number) => new Date(Date.UTC(2020, 0, 1) + Math.floor(index / 4));
    const stored = Array.from({ length: 450 }, (_, index) => ({
      ...facts,
      at: at(index),
      after: { name: `b${index}` },
    }));
    await dashboard.world.database.stored.audit.insertMany(stored.map((one) => ({ ...one, before: { name: "a" } })));
    const query = `actor=${encodeURIComponent("=cmd()")}`;
    const listed = (await pagesOf(ada, `${api}/audit?${query}`)).flatMap(({ records }) => records);
    const newest = stored.toReversed().map((one) => ({ name: one.after.name, at: one.at.toISOString() }));
    expect(listed.map((record: any) => record.at)).toEqual(newest.map((one) => one.at));
    const names = new Set(newest.map(({ name }) => name));
    expect(new Set(listed.map(({ after }: any) => after.name))).toEqual(names);
    const rows: string[] = (await vic.get(`${api}/audit.csv?${query}`)).body.trimEnd().split("\n").slice(1);
    expect(rows).toHaveLength(450);
    expect(new Set(rows.map((row) => /to (b\d+),/.exec(row)?.[1]))).toEqual(names);
    // In no cell that a spreadsheet runs.
    for (const row of rows) expect(row).toMatch(/Z,'=cmd\(\),cli,clan\.set,\S+,'=cmd\(\) changed the name of the clan/);
  });
});

describePages("the page Audit log", (browser) => {
  async function open(): Promise<Page> {
    const page = await browser.openAs("vic", `${pages}/audit`);
    await shows(page, "Audit log");
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

    const given = page.getByRole("row", { name: /ada gave 20 XP to shown: event/ });
    await page.getByLabel("What").selectOption("member.award");
    await fill(page, { Who: "ada" });
    await row.waitFor({ state: "detached" });
    await given.waitFor();
    const offered = () => page.getByLabel("Who").evaluate((field: any) => field.list.options.length);
    await expect.poll(offered).toBeGreaterThan(1);
    await fill(page, { From: "2026-01-02T00:00", To: "2026-01-01T00:00" });
    await page.getByText("To must be later than From").waitFor();
    await expectReadable(page);
    await fill(page, { From: "2020-01-01T00:00" });
    await page.getByText("No changes found.").waitFor();
    await fill(page, { To: "" });
    await given.waitFor();
    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export CSV" }).click();
    const download = await file;
    expect(download.suggestedFilename()).toBe(`${clan.clanId}-audit.csv`);
    expect(download.url()).toMatch(/actor=ada&action=member\.award&from=/);
    const chips = page.getByRole("list", { name: "Filters" }).getByRole("button");
    const names = ["Who: ada", "What: XP given or taken", "From: Jan 1, 2020, 00:00"];
    expect(await chips.allInnerTexts()).toEqual([...names, "Clear all"].map((name) => expect.stringContaining(name)));
    await page.getByRole("button", { name: `Remove the filter ${names[2]}` }).press("Enter");
    expect(await page.getByLabel("From").inputValue()).toBe("");
    await page
      .getByRole("button", { name: `Remove the filter ${names[1]}` })
      .and(page.locator(":focus"))
      .waitFor();
    await press(page, "Clear all");
    await page.getByRole("row", { name: /^CLI \(.+\) changed the threshold of Elite from 20,000/ }).waitFor();
    expect(await chips.count()).toBe(0);
  });

  test("leads to the page of a reversal, which names the member, and back", async () => {
    await reverseOne("rigged", "the match was rigged");
    await clan.post("/names", { names: [{ platformId: "rigged", name: "Rita Gold" }] });
    const page = await open();
    await page.getByRole("link", { name: /^ada took back \d+ XP of .*: the match was rigged$/ }).click();
    await shows(page, "Reversal");
    await page.getByRole("link", { name: "Rita Gold rigged" }).waitFor();
    await page.getByText("the match was rigged").waitFor();
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Audit log" }).click();
    await expect.poll(() => page.url()).toBe(`${pages}/audit`);
  });
});
