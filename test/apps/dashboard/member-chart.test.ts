// A member's page: the chart of the whole time, the progress to the next rank, and the ledger by kind.
import { expect, test } from "vitest";
import { docOfEntry, type EntryDoc } from "#ledger/store/entry-model.ts";
import { makeEntry } from "../../support/entry.ts";
import { describePages } from "./browser.ts";
import { fill, shows } from "./steps.ts";
import { useClan } from "./use-clan.ts";

/** Remembers what the chart writes until it is drawn again. */
const RECORD_TEXTS = `(() => {
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  window.texts = [];
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    window.texts = [];
    return clearRect.apply(this, box);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    window.texts.push(text);
    return fillText.call(this, text, ...place);
  };
})()`;
const TIMES = `window.texts.filter((text) => text.includes(":"))`;
/** Of what the chart shows; axes and their texts are gray. */
const COLORED_PIXELS = `(() => {
  const canvas = document.querySelector("[role=slider] canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const of = (at) => Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]);
  return Array.from({ length: data.length / 4 }, (_, pixel) => pixel * 4).filter((at) => of(at) > 80).length;
})()`;

const { dashboard, clan, api, pages, viewer } = await useClan();
const path = `${api}/members`;

test("the history has the highest XP of a range", async () => {
  await clan.award("ann", { amount: 700 });
  await clan.award("ann", { amount: -300 });
  for (const range of ["24h", "all"]) {
    const { points } = (await viewer.get(`${path}/ann/history?range=${range}`)).body;
    expect(points.map(({ xp }: any) => xp)).toContain("700");
  }
  expect((await viewer.get(`${path}/nobody/history?range=all`)).body.points).toEqual([]);
  expect((await viewer.get(`${path}/ann/history?range=1h`)).status).toBe(400);
});

test("the ledger by kind lists these entries only, and goes on beyond those that it looked through", async () => {
  const entries = Array.from({ length: 6_000 }, (_, index) => {
    const facts = { clanId: clan.clanId, platformId: "busy", seq: index + 1, key: `=${index}` };
    const ofKind = index < 3 ? { kind: "membership" as const, applied: 0n } : {};
    return makeEntry({ ...facts, at: new Date(index * 1_000), ...ofKind });
  });
  await dashboard.world.database.db().collection<EntryDoc>("ledger").insertMany(entries.map(docOfEntry));
  const first = (await viewer.get(`${path}/busy/ledger?kind=membership`)).body;
  expect([first.entries, typeof first.nextCursor]).toEqual([[], "string"]);
  const cursor = encodeURIComponent(first.nextCursor);
  const second = (await viewer.get(`${path}/busy/ledger?kind=membership&cursor=${cursor}`)).body;
  const kinds = second.entries.map(({ kind }: any) => kind);
  expect([kinds, second.nextCursor]).toEqual([["membership", "membership", "membership"], null]);
  expect((await viewer.get(`${path}/busy/ledger?kind=award`)).body.entries).toHaveLength(100);
  expect((await viewer.get(`${path}/busy/ledger?kind=gift`)).status).toBe(400);
});

describePages("the page", (browser) => {
  test("shows the chart by keyboard, the progress, and the entries of a kind", async () => {
    const page = await browser.openAs("ada", dashboard.url);
    await shows(page, "Overview");
    // As late as possible: a minute later, the chart begins with the first award.
    await clan.award("eve", { amount: 400, reason: "played" });
    await clan.award("eve", { amount: 150, reason: "won" });
    await page.goto(`${pages}/members/eve`);
    // From 100 XP, a Recruit's, to 1,000, a Veteran's.
    const progress = page.getByRole("progressbar", { name: "Progress to Veteran" });
    expect(await progress.getAttribute("aria-valuenow")).toBe("50");
    await fill(page, { Range: "All time" });
    const chart = page.getByRole("slider", { name: "XP of all time" });
    await chart.focus();
    await page.keyboard.press("End");
    await page.getByTestId("chart-tooltip").getByText("550 XP").waitFor();
    await page.keyboard.press("Home");
    await page.getByTestId("chart-tooltip").getByText("no XP yet").waitFor();

    await fill(page, { Kind: "Reversals" });
    await page.getByText("No reversals.").waitFor();
    await fill(page, { Kind: "Awards" });
    await page.getByRole("row", { name: /won/ }).getByRole("link", { name: "test" }).waitFor();
  });

  test("shows the chart of a member with one award in each range, at times that differ", async () => {
    await clan.award("new", { amount: 50 });
    const page = await browser.openAs("vic", `${dashboard.url}/account`, {});
    await page.addInitScript(RECORD_TEXTS);
    await page.goto(`${pages}/members/new`);
    for (const [option, name] of [
      ["24 hours", "XP in the last 24 hours"],
      ["7 days", "XP in the last 7 days"],
      ["30 days", "XP in the last 30 days"],
      ["All time", "XP of all time"],
    ] as const) {
      await fill(page, { Range: option });
      await page.getByRole("slider", { name }).waitFor();
      await expect.poll(() => page.evaluate(COLORED_PIXELS)).toBeGreaterThan(10);
    }
    // Of the last drawing, which begins with the left end of the axis.
    await expect
      .poll(() => page.evaluate(TIMES))
      .toEqual(expect.arrayContaining([expect.stringMatching(/^..:..:..$/)]));
    const times = await page.evaluate<string[]>(TIMES);
    expect(new Set(times).size).toBe(times.length);
  });
});
