// The gains of a span that a person chooses, on the page Members, and those of one member, in the chart of their page.
import { describe, expect, test } from "vitest";
import { scopes } from "#domain/scope.ts";
import { docOfEntry, type EntryDoc } from "#ledger/store/entry-model.ts";
import { chanceOf } from "../../support/chance.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { makeEntry } from "../../support/entry.ts";
import { expectedGains, exportClan } from "../../support/exported-gains.ts";
import { HISTORY, makeHistory } from "../../support/gained-history.ts";
import { reversalsOf } from "../../support/reversals.ts";
import { seedOfRun } from "../../support/seed.ts";
import { describePages, expectReadable, expectUsable } from "./browser.ts";
import type { Visitor } from "./dashboard-world.ts";
import { pagesOf } from "./pages-of.ts";
import { fill, openPage, press, submit } from "./steps.ts";
import { useClan } from "./use-clan.ts";

const DAY_MS = 86_400_000;
const { dashboard, port, clan, api, pages, viewer } = await useClan({ worker: true });
const ledger = () => dashboard.world.database.db().collection<EntryDoc>("ledger");

const textOf = (from: number, to: number): string =>
  String(new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(to).toISOString() }));

/** All pages, once the span is counted. */
async function gainsOf(person: Visitor, path: string): Promise<any[]> {
  for (;;) {
    const read = await pagesOf(person, path);
    if (read[0].counted) return read;
  }
}

describe("the gains of a span", () => {
  test("are those of the ledger on all pages, in a search and in the file, also of who has left", async () => {
    await makeHistory(dashboard.world, clan.clanId, chanceOf(seedOfRun()), 70);
    await clan.post("/names", { names: [{ platformId: "m7", name: "Seven Seas" }] });
    const exported = await exportClan(dashboard.world, clan.clanId);
    const expected = expectedGains(exported, new Date(HISTORY.from), new Date(HISTORY.to));
    const nameOf = (platformId: string) => (platformId === "m7" ? "Seven Seas" : null);
    const named = expected.map((row) => ({ ...row, name: nameOf(row.platformId) }));
    expect(named.some(({ membership }) => membership === null)).toBe(true);
    const path = `${api}/gains?${textOf(HISTORY.from, HISTORY.to)}`;
    const [first, second, ...others] = await gainsOf(viewer, path);
    expect([...first.members, ...second.members]).toStrictEqual(named);
    expect([first.members.length, others, second.counted]).toStrictEqual([50, [], first.counted]);
    expect(first.counted.totals.members).toBe(expected.length);

    const found = async (search: string): Promise<any[]> =>
      (await gainsOf(viewer, `${path}&search=${search}`)).flatMap(({ members }) => members);
    const byId = (rows: readonly { platformId: string }[]) =>
      rows.toSorted((a, b) => (a.platformId < b.platformId ? -1 : 1));
    expect(byId(await found("m6"))).toStrictEqual(byId(named.filter(({ platformId }) => platformId.startsWith("m6"))));
    expect(await found("seas")).toStrictEqual(named.filter(({ name }) => name !== null));
    expect(await found("nobody")).toStrictEqual([]);

    const { body, headers } = await viewer.get(path.replace("/gains?", "/gains.csv?"));
    expect(headers.get("content-disposition")).toContain(`${clan.clanId}-gains-2026-02-01-2026-06-01.csv`);
    const [header, ...lines] = body.trim().split("\n");
    expect(header).toBe("position,platform_id,name,xp,awards,member,first_award_at,last_award_at");
    expect(lines).toStrictEqual(
      named.map(({ position, platformId, name, xp, awards, membership, firstAwardAt, lastAwardAt }) =>
        [position, platformId, name, xp, awards, membership ? "yes" : "left", firstAwardAt, lastAwardAt].join(),
      ),
    );
  });

  test("are rejected with the place where the span is wrong, or the list of another span goes on", async () => {
    const from = Date.parse("2026-01-01T00:00:00Z");
    const read = (query: string) => viewer.get(`${api}/gains?${query}`);
    for (const to of [from, from - 1, from + 400 * DAY_MS + 1])
      expect(await read(textOf(from, to))).toMatchObject({ status: 400, body: { errors: [{ pointer: "/to" }] } });
    expect((await read(`to=now&${textOf(from, from + 1)}`)).status).toBe(400);
    const { nextCursor } = (await gainsOf(viewer, `${api}/gains?${textOf(HISTORY.from, HISTORY.to)}`))[0];
    expect((await read(`${textOf(from, HISTORY.to)}&cursor=${nextCursor}`)).status).toBe(400);
    expect((await read(`${textOf(HISTORY.from, HISTORY.to)}&search=m&cursor=${nextCursor}`)).status).toBe(400);
  });
});

describe("the chart of a member's gains", () => {
  const chartOf = async (platformId: string, range: string, timeZone = "UTC"): Promise<any> =>
    (await viewer.get(`${api}/members/${platformId}/gains?range=${range}&timeZone=${timeZone}`)).body;

  test("has whole days, weeks from Monday or months of the person's zone, by the age of the member", async () => {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const wanted = { d10: "day", d91: "day", d93: "week", d399: "week", d401: "month", d20000: "month" };
    for (const [platformId, every] of Object.entries(wanted)) {
      const ago = Number(platformId.slice(1));
      const ats = [today - ago * DAY_MS, today - DAY_MS, today];
      const entries = ats.map((ms, index) => {
        const facts = { clanId: clan.clanId, platformId, seq: index + 1, key: `=${index}`, at: new Date(ms) };
        return makeEntry({ ...facts, applied: BigInt(10 ** index) });
      });
      await ledger().insertMany(entries.map(docOfEntry));
      const { gains, ...facts } = await chartOf(platformId, "all");
      expect(facts).toStrictEqual({ platformId, every, timeZone: "UTC" });
      const sum = gains.reduce((total: number, { xp }: { xp: string }) => total + Number(xp), 0);
      // Nobody has had an account for 50 years.
      expect([platformId, sum]).toStrictEqual([platformId, ago === 20_000 ? 110 : 111]);
      expect(Date.parse(gains.at(-1).endsAt)).toBeGreaterThan(Date.now());
      expect(Date.parse(gains[0].startsAt)).toBeLessThanOrEqual(ago === 20_000 ? Date.now() : (ats[0] ?? 0));
    }
    const { gains } = await chartOf("d10", "7d", "Asia/Kathmandu");
    const clock = new Intl.DateTimeFormat("en", { timeStyle: "short", timeZone: "Asia/Kathmandu", hourCycle: "h23" });
    expect([gains.length, new Set(gains.map(({ startsAt }: any) => clock.format(new Date(startsAt))))]).toStrictEqual([
      8,
      new Set(["00:00"]),
    ]);
    expect((await chartOf("nobody", "all")).gains).toMatchObject([{ xp: "0", awards: 0 }]);
  });
});

describePages("the page", (browser) => {
  test("Members shows the gains of a span, greys who has left, and says at the field what is wrong", async () => {
    const left = await makeClanCaller(dashboard.world, port, {}, scopes);
    await dashboard.signedIn("olga", "owner", left.clanId);
    for (const [id, amount] of Object.entries({ ann: 150, bob: 30, cid: 70 })) await left.award(id, { amount });
    await left.post("/names", { names: [{ platformId: "bob", name: "Bob B" }] });
    const [{ awardId }] = await left.entriesOf("cid");
    await reversalsOf(left).reverseNow({ platformId: "cid", awardId });
    expect((await dashboard.cli.run("member", "remove", left.clanId, "ann")).exitCode).toBe(0);
    const page = await browser.openAs("olga", dashboard.url, { timezoneId: "UTC" });
    await openPage(page, "Members");
    await fill(page, { Period: "Custom…" });
    const form = page.getByRole("form", { name: "Custom period" });
    const table = page.getByRole("table", { name: "Gains" });
    await submit(form, { From: "2026-11-21T18:00", To: "2026-11-21T18:00" }, "Show");
    await form.getByText("To must be later than from").waitFor();
    await submit(form, { From: "" }, "Show");
    await form.getByText("From must be a date and a time").waitFor();
    await expectReadable(page);
    const minutes = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 16);
    await submit(form, { From: minutes(-1), To: minutes(1) }, "Show");
    await table.getByRole("row", { name: /ann/ }).waitFor();
    const headers = await table.getByRole("columnheader").allTextContents();
    expect(headers).toStrictEqual(["Position", "Player", "XP gained", "Awards", "Last award"]);
    expect((await table.getByRole("row").allInnerTexts()).slice(1)).toStrictEqual([
      expect.stringMatching(/1\s[^]*ann[^]*Left[^]*150[^]*1/),
      expect.stringMatching(/2\s[^]*Bob B[^]*30[^]*1/),
      expect.stringMatching(/3\s[^]*cid[^]*0[^]*1/),
    ]);
    await page.getByText(/^3 players gained 180 XP with 3 awards/).waitFor();
    await expectUsable(page);
    // The address has the span.
    await page.reload();
    await table.getByRole("row", { name: /ann/ }).waitFor();
    await fill(page, { "Search members": "bob" });
    await expect.poll(() => table.getByRole("row").count()).toBe(2);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export CSV" }).click();
    expect((await download).suggestedFilename()).toMatch(/-gains-.*\.csv$/);
    await fill(page, { Period: "All time" });
    await page.getByRole("table", { name: "Members" }).waitFor();
    // What is suggested has what was awarded just now, and a time is not shown twice where the person's zone is UTC.
    await openPage(page, "Overview");
    await openPage(page, "Members");
    await fill(page, { Period: "Custom…" });
    await press(form, "Show");
    await table.getByRole("row", { name: /ann/ }).waitFor();
    const hints = form.getByText(/, 00:00 UTC/);
    for (const hint of await hints.allInnerTexts()) expect(hint).toMatch(/^\w+ \d+, \d+, 00:00 UTC$/);
    expect(await hints.count()).toBe(2);
  });

  test("of a member shows what they gained, by keyboard too, and stays where the person is", async () => {
    await clan.award("eva", { amount: 40 });
    await clan.award("eva", { amount: 2 });
    const page = await browser.openAs("vic", `${pages}/members/eva`);
    // Of the first two days, everything.
    await page.getByRole("slider", { name: "XP of all time" }).waitFor();
    await fill(page, { Range: "30 days" });
    await page.getByRole("radio", { name: "XP", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    const chart = page.getByRole("slider", { name: "XP gained by day, last 30 days" });
    await chart.waitFor();
    expect(await page.locator(":focus").getAttribute("value")).toBe("Gained");
    await expectUsable(page);
    await chart.focus();
    await page.keyboard.press("End");
    await page.getByTestId("chart-tooltip").getByText("42 XP").waitFor();
    await page.keyboard.press("Home");
    await page.getByTestId("chart-tooltip").getByText("0 XP").waitFor();
    await fill(page, { Range: "All time" });
    await page.getByRole("slider", { name: "XP gained by day, all time" }).waitFor();
  });
});
