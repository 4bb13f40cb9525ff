// Names of members on the pages: who finds whom by them, and where they are shown.
import { beforeAll, describe, expect, test } from "vitest";
import { cliOn } from "../../support/cli.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { describePages } from "./browser.ts";
import { pagesOf } from "./pages-of.ts";
import { chooseIn, fill, openPage, shows } from "./steps.ts";
import { useClan } from "./use-clan.ts";

const { dashboard, port, clan, api, pages, owner, viewer } = await useClan({ worker: true });
beforeAll(async () => {
  for (const platformId of ["4711", "4712", "8"]) await clan.award(platformId, { amount: 150, reason: "played" });
  await name({ 4711: "Zo\u00eb Builderman", 4712: "\u0645\u062d\u0645\u062f 🎉", 99: "Zoe Without XP" });
  // The API has projected the awards then: the dashboard finds the members immediately.
  await clan.get("/members");
});

const read = async (path: string) => (await viewer.get(`${api}${path}`)).body;

async function name(all: Record<string, string>, of = clan): Promise<void> {
  const names = Object.entries(all).map(([platformId, one]) => ({ platformId, name: one }));
  for (let first = 0; first < names.length; first += 100)
    expect((await of.post("/names", { names: names.slice(first, first + 100) })).status).toBe(200);
}

async function found(search: string, visitor = viewer, path = api): Promise<string[]> {
  const lists = await pagesOf(visitor, `${path}/members?search=${encodeURIComponent(search)}`);
  return lists.flatMap(({ members }) => members.map(({ platformId }: { platformId: string }) => platformId));
}

describe("a search for members", () => {
  test.each([
    ["47", ["4711", "4712"]],
    ["4711", ["4711"]],
    ["711", []],
    ["zoe", ["4711"]],
    [" ZOE\u0308  build ", ["4711"]],
    ["uilder", []],
    ["\u0645\u062d", ["4712"]],
    ["🎉", ["4712"]],
    ["(zo\u00eb)", ["4711"]],
    ["%$^*", []],
  ])("for %j finds the beginning of a platformId and of words of the name", async (search, ids) => {
    expect(await found(search)).toStrictEqual(ids);
  });

  test("lists members by their platformIds, then by their names, each once, in pages", async () => {
    const big = await makeClanCaller(dashboard.world, port);
    const reader = await dashboard.signedIn("rea", "viewer", big.clanId);
    const members = Array.from({ length: 70 }, (_, index) => `${index < 60 ? "z" : "star-"}${100 + index}`);
    const awards = members.map((platformId) => ({ platformId, amount: 1 }));
    expect((await big.post("/awards", { awards })).body.applied).toBe(70);
    await big.get("/members");
    await name(Object.fromEntries(members.map((platformId) => [platformId, `Star ${platformId}`])), big);
    // Named, but without anything else: more of them than are looked at for one page.
    const others = Array.from({ length: 1_100 }, (_, index) => [`none${index}`, `Star A${index}`]);
    await name(Object.fromEntries(others), big);
    const ids = await found("star", reader, `/api/clans/${big.clanId}`);
    const expected = members.toSorted();
    expect(ids.slice(0, 10)).toStrictEqual(expected.slice(0, 10));
    expect(ids.toSorted()).toStrictEqual(expected);
  });

  test.each(["search=", "search=%20", `search=${"x".repeat(65)}`, "search=a&cursor=x", "search=%00"])(
    "is rejected with %s",
    async (query) => {
      expect((await read(`/members?${query}`)).code).toBe("invalid_request");
    },
  );

  test("finds nobody of another clan, and nobody who was erased", async () => {
    const other = await makeClanCaller(dashboard.world, port);
    await other.award("o", { amount: 1 });
    await name({ o: "Zoe Elsewhere" }, other);
    expect(await found("zoe")).toStrictEqual(["4711"]);
    await clan.award("gone", { amount: 1 });
    await clan.get("/members");
    await name({ gone: "Gone Girl" });
    expect(await found("girl")).toStrictEqual(["gone"]);
    const cli = cliOn({ MONGO_URL: dashboard.world.mongoUrl, REDIS_URL: dashboard.world.redisUrl });
    expect((await cli.json("member", "erase", clan.clanId, "gone", "--yes")).exitCode).toBe(0);
    expect(await found("girl")).toStrictEqual([]);
    await clan.award("gone", { amount: 1 });
    expect((await read("/members/gone")).member).toMatchObject({ xp: "1", name: null });
  }, 60_000);
});

test("each list of members has their names, for viewers too, and an unnamed member has none", async () => {
  const zoe = "Zo\u00eb Builderman";
  const named = { platformId: "4711", name: zoe };
  const { members } = await read("/members");
  expect(members).toEqual(expect.arrayContaining([expect.objectContaining(named)]));
  expect(members).toEqual(expect.arrayContaining([expect.objectContaining({ platformId: "8", name: null })]));
  expect((await read("/members/4711")).member).toMatchObject(named);
  expect((await read("/overview")).newest).toEqual(expect.arrayContaining([expect.objectContaining(named)]));
  await owner.post(`${api}/members/4711/xp`, { amount: 1, reason: "event", changeId: crypto.randomUUID() });
  const [record] = (await read("/audit?action=member.award")).records;
  expect(record.member).toEqual(named);
  expect(JSON.stringify({ ...record, member: null })).not.toContain("Zo");
  const awards = ["4711", "8"].map((platformId) => ({ platformId, amount: 1 }));
  const { batchId } = (await clan.submit(awards, { prefer: "respond-async" })).body;
  const batch = () => read(`/batches/${batchId}`);
  await until(async () => (await batch()).status === "done");
  expect((await batch()).names).toEqual({ 4711: zoe });
  await until(async () => (await read("/events?search=build")).events.length > 0);
  const ofZoe = (await read("/events?search=build")).events;
  expect(new Set(ofZoe.map(({ data }: any) => data.platformId))).toEqual(new Set(["4711"]));
  await until(async () => (await read("/events?search=47")).events.length > ofZoe.length);
});

test("a member who is named after an event is listed with it by that name, and the event stays as it is stored", async () => {
  await clan.award("late", { amount: 150 });
  const events = () => read("/events?search=late");
  await until(async () => (await events()).events.length > 0);
  const { events: stored, names } = await events();
  expect([stored[0].data.name, names]).toEqual([null, {}]);
  await name({ late: "Late Riser" });
  expect(await events()).toMatchObject({ events: stored, names: { late: "Late Riser" } });
});

describePages("the pages", (browser) => {
  test("show initials, name and platformId, and find both", async () => {
    const page = await browser.openAs("ada", `${pages}/members`);
    const row = page.getByRole("row", { name: /Zo\u00eb Builderman 4711/ });
    await row.waitFor();
    expect(await row.locator("[data-color]").textContent()).toBe("ZB");
    await page.getByRole("row", { name: /\u0645\u062d\u0645\u062f 🎉 4712/ }).waitFor();
    expect(await page.getByRole("row", { name: /8/ }).getByRole("link").last().textContent()).toContain("8");
    await fill(page, { "Search members": "buil zoe" });
    await page.getByRole("row", { name: /4712/ }).waitFor({ state: "detached" });
    await row.waitFor();
    await fill(page, { "Search members": "nobody of this name" });
    await page.getByText("no name has these words").waitFor();
    await fill(page, { "Search members": "zo\u00eb" });
    await row.getByRole("link").click();
    await shows(page, "Zo\u00eb Builderman 4711");
    await expect.poll(() => page.title()).toBe("Zo\u00eb Builderman \u00b7 Test \u00b7 Clan XP");
    await chooseIn(page.getByRole("main"), "Remove member");
    await page.getByRole("dialog", { name: "Remove Zo\u00eb Builderman (4711)" }).waitFor();
    await page.keyboard.press("Escape");
    await openPage(page, "Overview");
    await page
      .getByRole("listitem")
      .filter({ hasText: /Zo\u00eb Builderman 4711.*event/ })
      .waitFor();
    for (const [link, text] of [
      ["Audit log", /gave 1 XP to Zo\u00eb Builderman/],
      ["Events", /Joined Late Riser late/],
    ] as const) {
      await page.getByRole("link", { name: link, exact: true }).click();
      await page.getByRole("row", { name: text }).first().waitFor();
    }
  });
});
