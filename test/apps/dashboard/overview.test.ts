// What the overview says is what the ledger holds, in a real browser too.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { callerOf } from "../../support/http.ts";
import { expectUsable, noBrowser, openBrowser, signIn } from "./browser.ts";
import { makeDashboardWorld, type DashboardWorld, type Visitor } from "./dashboard-world.ts";

let dashboard: DashboardWorld;
let port: number;
let clanId: string;
let owner: Visitor;
let award: (platformId: string, amount: number) => Promise<number>;
beforeAll(async () => {
  dashboard = await makeDashboardWorld();
  const { clan, key } = await dashboard.world.makeClan();
  clanId = clan.clanId;
  owner = await dashboard.signedIn("ada", "--clan", clanId, "--role", "owner");
  ({ port } = await dashboard.world.startApi());
  const caller = callerOf(port, key, `/v0/clans/${clanId}`);
  award = async (platformId, amount) =>
    (await caller.post(`/members/${platformId}/xp`, { amount, reason: "played" })).status;
});
afterAll(() => dashboard.close());

const overview = async () => (await owner.get(`/api/clans/${clanId}/overview`)).body;
const total = (spans: { awards: number; xp: string }[]) =>
  spans.reduce((sum, span) => ({ awards: sum.awards + span.awards, xp: sum.xp + Number(span.xp) }), {
    awards: 0,
    xp: 0,
  });

test("the overview's minutes and hours add up to the ledger entries of the last hour and day", async () => {
  expect(await overview()).toMatchObject({ members: 0, newest: [] });
  expect(await award("ada", 100)).toBe(200);
  expect(await award("bob", 50)).toBe(200);
  expect(await award("bob", -80)).toBe(200); // ends at the floor: 50 are taken
  // Older ones: two hours ago in the day alone, two days ago in neither.
  const ledger = dashboard.world.database.db().collection<{ _id: object; at: Date }>("ledger");
  const [entry] = await ledger.find({ "_id.clanId": clanId, "_id.platformId": "ada" }).toArray();
  const inserted = [2, 48].map((hours, index) => ({
    ...entry,
    _id: { clanId, platformId: `old-${index}`, seq: 1 },
    at: new Date(Date.now() - hours * 3_600_000),
  }));
  await ledger.insertMany(inserted);

  // A dashboard that has just started reads all; the one that runs catches up.
  const another = await dashboard.startAnother();
  const read = await fetch(`${another}/api/clans/${clanId}/overview`, { headers: { cookie: owner.cookie() ?? "" } });
  const fresh: any = await read.json();
  expect([total(fresh.minutes), total(fresh.hours)]).toEqual([
    { awards: 3, xp: 100 },
    { awards: 4, xp: 200 },
  ]);
  expect([fresh.minutes.length, fresh.hours.length]).toEqual([60, 24]);
  await expect.poll(async () => total((await overview()).minutes)).toEqual({ awards: 3, xp: 100 });
  const { newest } = await overview();
  expect(newest.slice(0, 3).map(({ platformId, applied }: any) => [platformId, applied])).toEqual([
    ["bob", "-50"],
    ["bob", "50"],
    ["ada", "100"],
  ]);
  // Of the documents of members, not of the entries that were inserted here.
  expect((await overview()).xp).toBe("100");
});

describe.skipIf(noBrowser !== null)("the overview page", { timeout: 120_000 }, () => {
  test("shows a new award automatically and as just now, even if the browser's clock is wrong", async () => {
    const clan = await makeClanCaller(dashboard.world, port, { xpFloor: null });
    await dashboard.signedIn("bea", "--clan", clan.clanId, "--role", "viewer");
    const browser = await openBrowser();
    const page = await browser.open();
    await page.clock.setFixedTime(Date.now() - 30_000);
    await signIn(page, dashboard.url, "bea");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.getByRole("img", { name: "Awards per minute, last hour: at most 0 awards" }).waitFor();
    await clan.award("newcomer", { amount: -4_500 });
    await page.getByRole("row", { name: /^just now newcomer / }).waitFor();
    // XP that was taken is not shown as XP that was given.
    await page.getByRole("img", { name: "XP per minute, last hour: from \u22124,500 to 0 XP" }).waitFor();
    await expectUsable(page);
    expect(browser.complaints()).toEqual([]);
    await browser.close();
  });
});
