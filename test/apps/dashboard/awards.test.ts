// The page Awards: which awards its filters show, what they export, and that what is shown can be reversed. In a real
// browser too.
import { expect, test } from "vitest";
import { docOfEntry, type EntryDoc } from "#ledger/store/entry-model.ts";
import { callerOf } from "../../support/http.ts";
import { makeEntry } from "../../support/entry.ts";
import { until } from "../../support/until.ts";
import { describePages, expectReadable, expectUsable } from "./browser.ts";
import { pagesOf } from "./pages-of.ts";
import { chooseIn, fill, press, shows } from "./steps.ts";
import { useClan } from "./use-clan.ts";

const { dashboard, port, clan, api, pages, owner, viewer } = await useClan({ worker: true });
const { api: otherApi, person: eve } = await dashboard.newClan("eve");

const cursorOf = (...position: unknown[]): string => Buffer.from(JSON.stringify(position)).toString("base64url");
const AT = "2026-01-01T00:00:00.000Z";
/** The XP of the shown awards, the newest first. */
const shown = async (query: string): Promise<string[]> =>
  (await pagesOf(viewer, `${api}/awards?${query}`)).flatMap((page) => page.awards.map(({ applied }: any) => applied));
const xpOf = async (platformId: string) => (await owner.get(`${api}/members/${platformId}`)).body.member.xp;

/** Another key of the clan, which gave each of these members 40 XP in the match. */
async function cheat(members: readonly string[], matchId: string): Promise<string> {
  const { keyId, secret } = await dashboard.world.makeKey(clan.clanId);
  const caller = callerOf(port, secret, `/v0/clans/${clan.clanId}`);
  for (const platformId of members) {
    const sent = { amount: 40, reason: "found a cheat", source: { matchId } };
    expect((await caller.post(`/members/${platformId}/xp`, sent)).status).toBe(200);
  }
  return keyId;
}

async function change(platformId: string, amount: number, reason: string) {
  const body = { amount, reason, changeId: crypto.randomUUID() };
  expect((await owner.post(`${api}/members/${platformId}/xp`, body)).status).toBe(200);
}

test.for([
  ...["x", cursorOf("award", "now"), cursorOf("award", AT, "", 1), cursorOf("seq", 1)].map((one) => `cursor=${one}`),
  "atLeast=0",
  "atLeast=1.5",
  "atLeast=9999999999999",
  "match=",
  "player=%20",
  "person=%00",
  "from=yesterday",
  `from=${AT}&to=${AT}`,
  "what=else",
])("there are no awards for an invalid cursor or filter: %s", async (query) => {
  expect((await owner.get(`${api}/awards?${query}`)).body.code).toBe("invalid_request");
  if (!query.startsWith("cursor"))
    expect((await owner.get(`${api}/awards.csv?${query}`)).body.code).toBe("invalid_request");
});

test("awards of keys and of people are listed by player, giver, match, reason, size and time, and exported so", async () => {
  await clan.post("/names", { names: [{ platformId: "101", name: "Mira Kovač" }] });
  await clan.award("101", { amount: 300, reason: "Won a match", source: { matchId: "m-1" } });
  await clan.award("1010", { amount: 20, source: { matchId: "m-1" } });
  const from = new Date(Date.now() + 1).toISOString();
  await until(() => Promise.resolve(Date.now() > Date.parse(from)));
  const keyId = await cheat(["101", "202"], "m-2");
  await change("202", 500, "event, for all");
  await change("202", -60, "event, too much");
  await until(async () => (await owner.get(`${api}/members?search=101`)).body.members.length === 2);

  const all = ["-60", "500", "40", "40", "20", "300"];
  const cases: [query: string, expected: string[]][] = [
    ["", all],
    ["player=101", ["40", "300"]],
    ["player=mira", ["40", "300"]],
    ["player=10", ["40", "20", "300"]],
    ["player=nobody", []],
    [`key=${keyId}`, ["40", "40"]],
    ["person=ada", ["-60", "500"]],
    ["person=vic", []],
    ["match=m-1", ["20", "300"]],
    ["match=m", []],
    ["reason=WON", ["300"]],
    ["reason=event%2C", ["-60", "500"]],
    ["atLeast=40", ["500", "40", "40", "300"]],
    [`from=${from}`, ["-60", "500", "40", "40"]],
    [`to=${from}`, ["20", "300"]],
    [`match=m-2&player=202&key=${keyId}&atLeast=40&from=${from}`, ["40"]],
  ];
  for (const [query, expected] of cases) {
    expect([query, await shown(query)]).toEqual([query, expected]);
    const lines: string[] = (await viewer.get(`${api}/awards.csv?${query}`)).body.trim().split("\n");
    expect(lines[0]).toContain("platform_id,seq,award_id,kind,at,amount,applied");
    expect([query, lines.slice(1).map((line) => line.split(",")[6])]).toEqual([query, expected]);
  }
  const { awards, player, since, nextCursor } = (await viewer.get(`${api}/awards?player=mira`)).body;
  expect(awards[1]).toMatchObject({
    platformId: "101",
    name: "Mira Kovač",
    keyName: "test",
    reason: "Won a match",
    source: { matchId: "m-1" },
  });
  expect([player, since, nextCursor]).toEqual([{ platformId: "101", name: "Mira Kovač" }, null, null]);
  expect((await viewer.get(`${api}/awards?player=10`)).body.player).toBeNull();
  const givers = (await viewer.get(`${api}/awards/givers`)).body;
  expect(givers.people).toEqual(["ada"]);
  expect(givers.keys.map((key: any) => key.keyId)).toContain(keyId);
  // Nothing of it is in another clan.
  expect(await pagesOf(eve, `${otherApi}/awards`)).toEqual([
    { awards: [], player: null, since: null, nextCursor: null },
  ]);
  expect((await eve.get(`${otherApi}/awards?key=${keyId}`)).body.awards).toEqual([]);
});

test("a reversal takes back the awards of one key, match or player in a time span, and says so in the audit log", async () => {
  const keyId = await cheat(["fay", "gus"], "m-7");
  await clan.award("fay", { amount: 5, source: { matchId: "m-7" } });
  await clan.award("gus", { amount: 7 });
  const path = `${api}/awards/reversal`;
  const preview = async (query: string) => (await owner.get(`${path}?${query}`)).body;
  expect(await preview("match=m-7")).toEqual({ awards: 3, members: 2, amount: "85" });
  expect(await preview(`key=${keyId}`)).toEqual({ awards: 2, members: 2, amount: "80" });
  expect(await preview("platformId=gus")).toEqual({ awards: 2, members: 1, amount: "47" });
  expect(await preview(`platformId=gus&to=${AT}`)).toEqual({ awards: 0, members: 0, amount: "0" });
  for (const query of ["", "match=m-7&platformId=gus", `match=m-7&from=${AT}&to=${AT}`])
    expect([query, (await preview(query)).code]).toEqual([query, "invalid_request"]);
  expect((await viewer.get(`${path}?match=m-7`)).body.code).toBe("forbidden");
  expect((await viewer.post(path, { match: "m-7", reason: null })).body.code).toBe("forbidden");

  const { reversalId } = (await owner.post(path, { match: "m-7", reason: " rigged " })).body;
  const read = async () => (await owner.get(`${api}/reversals/${reversalId}`)).body;
  await until(async () => (await read()).status === "done");
  expect(await read()).toMatchObject({ by: { matchId: "m-7" }, actor: "ada", reason: "rigged", reversed: 3 });
  expect([await xpOf("fay"), await xpOf("gus")]).toEqual(["0", "7"]);
  const { awards } = (await viewer.get(`${api}/awards?match=m-7`)).body;
  expect(awards.map(({ reversedBy }: any) => typeof reversedBy)).toEqual(["string", "string", "string"]);
  const [record] = (await owner.get(`${api}/audit?action=reversal.submit`)).body.records;
  expect(record).toMatchObject({
    actor: "ada",
    target: reversalId,
    after: { by: "match", matchId: "m-7", selected: 3 },
  });
  expect(await preview("match=m-7")).toMatchObject({ awards: 0 });
});

test("a filter that selects little looks at a bounded part of a large clan at a time, and says how far", async () => {
  const { clanId, api: largeApi, person } = await dashboard.newClan("lea", "viewer");
  const ledger = dashboard.world.database.db().collection<EntryDoc>("ledger");
  const entries = Array.from({ length: 25_000 }, (_, index) =>
    makeEntry({
      clanId,
      platformId: `p${index % 500}`,
      seq: 1 + Math.floor(index / 500),
      key: `=${index}`,
      at: new Date(Date.parse(AT) + index),
      ...(index === 4 ? { source: { matchId: "m-rare" } } : {}),
    }),
  );
  await ledger.insertMany(entries.map(docOfEntry));
  const found = await pagesOf(person, `${largeApi}/awards?match=m-rare`);
  expect(found.map(({ awards }) => awards.length)).toEqual([0, 0, 1]);
  expect(found.map(({ since }) => since && Date.parse(since) - Date.parse(AT))).toEqual([15_000, 5_000, null]);
  expect((await person.get(`${largeApi}/awards`)).body.awards).toHaveLength(50);
});

describePages("the page Awards", (browser) => {
  test("shows new awards by itself, filters them, keeps the filter in its address, and reverses what is shown", async () => {
    await cheat(["hal", "ida", "jon"], "m-31");
    const page = await browser.openAs("ada", `${pages}/overview`);
    await page.getByRole("link", { name: "Awards", exact: true }).click();
    await shows(page, "Awards");
    const table = page.getByRole("table", { name: "Awards" });
    const row = (name: string | RegExp) => table.getByRole("row", { name });
    await row(/jon .*\+40 test found a cheat m-31/).waitFor();
    const reverse = page.getByRole("button", { name: "Reverse these…" });
    expect(await reverse.isDisabled()).toBe(true);
    await page.getByText("filter them by one player, one API key or one match").waitFor();
    await clan.award("kim", { amount: 11, reason: "live" });
    await row(/^just now kim/).waitFor();
    await expectUsable(page);

    // By keyboard: the match of a row is its filter.
    await row(/^.*jon/)
      .getByRole("button", { name: "m-31" })
      .press("Enter");
    await expect.poll(() => page.getByLabel("Match", { exact: true }).inputValue()).toBe("m-31");
    await row(/kim/).waitFor({ state: "detached" });
    await page.reload();
    await row(/hal/).waitFor();
    expect(await page.getByLabel("Match", { exact: true }).inputValue()).toBe("m-31");
    await fill(page, { "At least": "5k" });
    await page.getByText("At least must be a whole number from 1").waitFor();
    expect(await reverse.isDisabled()).toBe(true);
    await fill(page, { "At least": "" });
    await expect.poll(() => reverse.isEnabled()).toBe(true);
    await reverse.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Each award of the match m-31 gets an entry that takes it back.").waitFor();
    await fill(dialog, { Reason: "rigged" });
    await expectUsable(page);
    await press(dialog, "Reverse 3 awards");
    await dialog.getByText("3 awards are reversed.").waitFor();
    await expectReadable(page);
    await press(dialog, "Done");
    await expect.poll(() => table.getByText("reversed", { exact: true }).count()).toBe(3);
    expect([await xpOf("hal"), await xpOf("jon")]).toEqual(["0", "0"]);

    await fill(page, { Match: "", Player: "kim" });
    await row(/kim/).waitFor();
    await chooseIn(row(/kim/), "Reverse");
    await dialog.getByText("Takes back 11 XP").waitFor();
    await press(dialog, "Reverse");
    await table.getByText("reversed", { exact: true }).waitFor();
    await fill(page, { Player: "nobody" });
    await page.getByText("No awards found.").waitFor();
    await expectReadable(page);
    await page.getByRole("link", { name: "Awards", exact: true }).click();
    await expect.poll(() => page.getByLabel("Player", { exact: true }).inputValue()).toBe("");
    await row(/jon/).waitFor();
  });

  test("looks through a large clan as far as the person asks", async () => {
    const { clanId } = await dashboard.newClan("may", "viewer");
    const ledger = dashboard.world.database.db().collection<EntryDoc>("ledger");
    for (let from = 0; from < 120_000; from += 20_000) {
      const entries = Array.from({ length: 20_000 }, (_, index) => {
        const seq = from + index + 1;
        return makeEntry({ clanId, platformId: "p", seq, key: `=${seq}`, at: new Date(Date.parse(AT) + seq) });
      });
      await ledger.insertMany(entries.map(docOfEntry));
    }
    const page = await browser.openAs("may", `${dashboard.url}/clans/${clanId}/awards?match=none`);
    await page.getByText("Nothing found so far.").waitFor();
    await page.getByText(/^Looked back to Jan 1, 2026/).waitFor();
    await expectReadable(page);
    await press(page, "Show older awards");
    await page.getByText("No awards found.").waitFor();
    expect(await page.getByRole("button", { name: "Show older awards" }).count()).toBe(0);
  });
});
