// The page Boosts: what it gets and sends, and how an owner uses it in a real browser.
import { describe, expect, test } from "vitest";
import { describePages } from "./browser.ts";
import { useDashboard } from "./dashboard-world.ts";
import { chooseIn, fill, press, submit } from "./steps.ts";

const dashboard = await useDashboard();
const { api, person: owner } = await dashboard.newClan("ada");

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
    for (const [window, changes, pointer] of cases)
      expect(await add(window, changes)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    const { body } = await add({ kind: "times", from, to }, { ranks: ["Boss"] });
    expect(body.detail).toContain('no rank "Boss"');
    const past = await add({ kind: "times", from: null, to: "2020-01-01T00:00:00.000Z" });
    expect(past.body.code).toBe("invalid_request");
    expect((await add({ kind: "weekends", weekends: 19, timeZone: "UTC" })).body.code).toBe("conflict");
    expect((await owner.get(`${api}/boosts`)).body.open).toBe(2);
  });
});

/** How far down the buttons of a dialog reach. */
const END_OF_BUTTONS = `[...document.querySelectorAll("[role=dialog] button")].at(-1).getBoundingClientRect().bottom`;

describePages("the page Boosts", (browser) => {
  test("lets an owner add a boost and end it, with times in their zone and in UTC", async () => {
    const { clanId } = await dashboard.newClan("olga");
    const page = await browser.openAs("olga", `${dashboard.url}/clans/${clanId}/boosts`);
    await page.getByText("No boosts yet.").waitFor();
    await press(page, "Add the first boost");
    const dialog = page.getByRole("dialog");
    // In sight, also where the dialog is higher than the window.
    await page.setViewportSize({ width: 1280, height: 500 });
    expect(await page.evaluate(END_OF_BUTTONS)).toBeLessThanOrEqual(500);
    await submit(dialog, { Factor: "11", "Time zone": "Berlin" }, "Add");
    for (const fault of [/^Name must not be empty/, /^Factor must be 1.01 to 10/, /^Time zone must be a time zone/])
      await dialog.getByText(fault).waitFor();
    await submit(dialog, { Name: "Double XP", Factor: "2", "Time zone": "Asia/Kolkata", Recruit: true }, "Add");
    const row = page.getByRole("row", { name: /Double XP/ });
    await row.getByText("Coming").waitFor();
    // Saturday 00:00 in India.
    expect(await row.innerText()).toMatch(/×2\s[^]*Ranks: Recruit[^]*18:30 UTC[^]*18:30 UTC/);

    await press(page, "Add boost");
    await fill(dialog, { Name: "Tonight", When: "From now on" });
    await dialog.getByText(/UTC$/).first().waitFor();
    await submit(dialog, { "Place IDs": "1818, 7" }, "Add");
    const running = page.getByRole("row", { name: /Tonight.*Places: 1818, 7.*Running/ });
    await chooseIn(running, "End");
    await press(dialog, "End boost");
    await page.getByRole("row", { name: /Tonight.*Ended/ }).waitFor();
    expect(await page.getByRole("button", { name: /^Actions of/ }).count()).toBe(1);
  });
});
