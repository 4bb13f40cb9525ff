// The page Boosts: what it gets and sends, and how an owner uses it in a real browser.
import { beforeAll, describe, expect, test } from "vitest";
import { expectReadable, noBrowser, useBrowser } from "./browser.ts";
import { type Visitor, useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();
let api: string;
let owner: Visitor;
beforeAll(async () => {
  const { clanId } = (await dashboard.world.makeClan()).clan;
  api = `/api/clans/${clanId}`;
  owner = await dashboard.signedIn("ada", "owner", clanId);
});

describe("the boosts of a clan", () => {
  const facts = { name: "Double XP", factor: "2", ranks: ["Recruit"], placeIds: ["1818"] };
  const add = (window: object, changes = {}) => owner.post(`${api}/boosts`, { ...facts, window, ...changes });

  test("are added, listed with their state, and ended, with audit records", async () => {
    const to = new Date(Date.now() + 3_600_000).toISOString();
    const added = await add({ kind: "times", from: null, to });
    expect(added.status).toBe(200);
    const [boost] = added.body.boosts;
    expect(boost).toMatchObject({ percent: 200, to, ranks: ["Recruit"], placeIds: ["1818"], status: "running" });
    const weekends = await add({ kind: "weekends", weekends: 2, timeZone: "Europe/Berlin" });
    expect(weekends.body.boosts.map(({ status }: any) => status)).toStrictEqual(["coming", "coming"]);
    const ended = await owner.post(`${api}/boosts/${boost.boostId}/end`);
    expect(ended.body).toMatchObject({ boostId: boost.boostId, status: "ended", endedAt: expect.any(String) });

    const listed = (await owner.get(`${api}/boosts`)).body;
    expect(listed).toMatchObject({ open: 2, openMax: 20, ranks: expect.arrayContaining(["Guest", "Recruit"]) });
    expect(listed.boosts).toStrictEqual([...weekends.body.boosts, ended.body]);
    const { records } = (await owner.get(`${api}/audit?action=boost.end`)).body;
    expect(records).toMatchObject([{ actor: "ada", via: "dashboard", target: boost.boostId }]);
  });

  test("are rejected with the place and the reason, and 20 at most have not ended", async () => {
    const [from, to] = ["2040-01-01T00:00:00.000Z", "2040-01-02T00:00:00.000Z"];
    const cases: [window: object, changes: object, pointer: string][] = [
      [{ kind: "times", from: to, to: from }, {}, "/window/to"],
      [{ kind: "times", from, to: "2041-01-01T00:00:00.000Z" }, {}, "/window/to"],
      [{ kind: "weekends", weekends: 21, timeZone: "UTC" }, {}, "/window/weekends"],
      [{ kind: "weekends", weekends: 1, timeZone: "Mars" }, {}, "/window/timeZone"],
      [{ kind: "times", from, to }, { factor: "1.005" }, "/factor"],
      [{ kind: "times", from, to }, { name: "" }, "/name"],
    ];
    for (const [window, changes, pointer] of cases) {
      const { status, body } = await add(window, changes);
      expect([status, body.errors[0].pointer]).toStrictEqual([400, pointer]);
    }
    const unknown = await add({ kind: "times", from, to }, { ranks: ["Boss"] });
    expect([unknown.status, unknown.body.detail]).toStrictEqual([400, expect.stringContaining('no rank "Boss"')]);
    const past = await add({ kind: "times", from: null, to: "2020-01-01T00:00:00.000Z" });
    expect([past.status, past.body.code]).toStrictEqual([400, "invalid_request"]);
    const tooMany = await add({ kind: "weekends", weekends: 19, timeZone: "UTC" });
    expect([tooMany.status, tooMany.body.code]).toStrictEqual([409, "conflict"]);
    expect((await owner.get(`${api}/boosts`)).body.open).toBe(2);
  });
});

describe.skipIf(noBrowser !== null)("the page Boosts", { timeout: 120_000 }, () => {
  const browser = useBrowser();

  test("lets an owner add a boost and end it, with times in their zone and in UTC", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    await dashboard.signedIn("olga", "owner", clanId);
    const page = await browser.openAs("olga", `${dashboard.url}/clans/${clanId}/boosts`);
    await page.getByText("No boosts yet.").waitFor();
    await expectReadable(page);
    await page.getByRole("button", { name: "Add boost" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Factor").fill("11");
    await dialog.getByLabel("Time zone").fill("Berlin");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    for (const fault of [/^Name must be 1 to 100/, /^Factor must be 1.01 to 10/, /^Time zone must be a time zone/])
      await dialog.getByText(fault).waitFor();
    await expectReadable(page);
    await dialog.getByLabel("Name").fill("Double XP");
    await dialog.getByLabel("Factor").fill("2");
    await dialog.getByLabel("Time zone").fill("Asia/Kolkata");
    await dialog.getByRole("checkbox", { name: "Recruit" }).check();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    const row = page.getByRole("row", { name: /Double XP/ });
    await row.getByText("Coming").waitFor();
    const headers = await page.getByRole("table", { name: "Boosts" }).getByRole("columnheader").allTextContents();
    expect(headers).toEqual(["Name", "Factor", "Applies to", "Starts", "Ends", "Status"]);
    // Saturday 00:00 in India.
    expect(await row.innerText()).toMatch(/×2\s[^]*Ranks: Recruit[^]*18:30 UTC[^]*18:30 UTC/);

    await page.getByRole("button", { name: "Add boost" }).click();
    await dialog.getByLabel("Name").fill("Tonight");
    await dialog.getByLabel("When").selectOption("From now on");
    await dialog.getByText(/UTC$/).first().waitFor();
    await dialog.getByLabel("Place IDs").fill("1818, 7");
    await expectReadable(page);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    const running = page.getByRole("row", { name: /Tonight.*Places: 1818, 7.*Running/ });
    await running.getByRole("button", { name: "End" }).click();
    await dialog.getByRole("button", { name: "End boost" }).click();
    await page.getByRole("row", { name: /Tonight.*Ended/ }).waitFor();
    expect(await page.getByRole("button", { name: "End", exact: true }).count()).toBe(1);
  });
});
