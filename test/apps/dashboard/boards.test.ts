// The page Boards and the select Period: what they get and send, and how people use them in a real browser.
import { describe, expect, test } from "vitest";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { describePages, expectReadable, expectUsable } from "./browser.ts";
import { chooseIn, fill, openPage, press, shows, submit } from "./steps.ts";
import { useClan } from "./use-clan.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** In three days, so that no week of a board ends during the tests. */
const weekdayIn = (timeZone: string): string =>
  new Intl.DateTimeFormat("en", { weekday: "long", timeZone }).format(Date.now() + 3 * DAY_MS);
const WEEKDAY = weekdayIn("Europe/Berlin");
const INDIAN_WEEKDAY = weekdayIn("Asia/Kolkata");
const rhythm = { every: "week", on: WEEKDAY.toLowerCase(), at: "00:00", timeZone: "Europe/Berlin" } as const;

const { dashboard, port, clan, api, owner, viewer } = await useClan();
const AWARDS = [
  { platformId: "p1", amount: 30 },
  { platformId: "p2", amount: 50 },
];

describe("the boards of a clan", () => {
  const weekly = { boardId: "weekly", name: "Weekly", settleHours: 1, periods: { kind: "rhythm", rhythm, from: null } };

  test("are added, listed with the running period, changed, and removed, with audit records", async () => {
    const add = () => owner.post(`${api}/boards`, weekly);
    expect(await add()).toMatchObject({ status: 200, body: { boardId: "weekly", ...rhythm } });
    expect(await add()).toMatchObject({ status: 409, body: { code: "conflict" } });
    await clan.awards(AWARDS);
    await clan.post("/names", { names: [{ platformId: "p2", name: "Grace" }] });
    const listed = (await viewer.get(`${api}/boards`)).body;
    expect(listed).toMatchObject({ max: 8, boards: [{ boardId: "weekly", current: { status: "open" } }] });

    const path = `${api}/boards/weekly/periods/current/members`;
    // Standings are at most 5 s old, and unavailable for a moment if they cannot be counted soon.
    let body: any;
    await until(async () => {
      ({ body } = await viewer.get(path));
      return body.members?.length === 2;
    });
    const { periodId } = body.period;
    expect(body.members).toMatchObject([
      { platformId: "p2", name: "Grace", xp: "50", position: 1 },
      { platformId: "p1", name: null, xp: "30", position: 2 },
    ]);
    expect(body.nextCursor).toBeNull();
    const csv = await viewer.get(`${path}.csv`);
    expect(csv.body).toMatch(/^position,platform_id,name,xp,reached_at\r?\n1,p2,Grace,50,/);
    expect(csv.headers.get("content-disposition")).toContain(`${clan.clanId}-weekly-${periodId}.csv`);
    const { periods } = (await viewer.get(`${api}/boards/weekly/periods`)).body;
    expect(periods).toMatchObject([{ status: "upcoming" }, { status: "open" }]);

    const daily = { every: "day", on: null, at: "04:30", timeZone: "UTC" };
    const change = { name: "Each day", settleHours: 2, rhythm: daily };
    const changed = await owner.send("PATCH", `${api}/boards/weekly`, change);
    expect(changed.body).toMatchObject({ name: "Each day", every: "day", at: "04:30", current: { periodId } });
    expect((await owner.send("DELETE", `${api}/boards/weekly`)).status).toBe(200);
    expect((await owner.get(path)).status).toBe(404);
    const actions = (await owner.get(`${api}/audit`)).body.records.map(({ action }: any) => action);
    expect(actions.slice(0, 3)).toStrictEqual(["board.remove", "board.set", "board.set"]);
  });

  test("have seasons, which do not overlap", async () => {
    const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
    const season = { startsAt: `${day(90)}T00:00:00.000Z`, endsAt: `${day(60)}T00:00:00.000Z` };
    const seasons = { ...weekly, boardId: "seasons", periods: { kind: "season", season } };
    expect((await owner.post(`${api}/boards`, seasons)).body).toMatchObject({ every: "season", current: null });
    const addSeason = (times: object) => owner.post(`${api}/boards/seasons/seasons`, times);
    expect(await addSeason(season)).toMatchObject({ status: 409, body: { code: "conflict" } });
    const next = { startsAt: season.endsAt, endsAt: `${day(30)}T00:00:00.000Z` };
    const short = { startsAt: `${day(20)}T18:00:00Z`, endsAt: `${day(20)}T18:00:00.5Z` };
    for (const times of [next, short]) expect((await addSeason(times)).status).toBe(200);
  });

  test("show the next three boundaries of a schedule, also across a change of clocks", async () => {
    const preview = (await owner.post(`${api}/board-preview`, { rhythm, boardId: null })).body.boundaries;
    const [first, second, third] = preview.map((time: string) => new Date(time));
    expect(first.getTime() - Date.now()).toBeLessThanOrEqual(WEEK_MS);
    const parts = { weekday: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
    const inBerlin = new Intl.DateTimeFormat("en", { ...parts, timeZone: "Europe/Berlin" });
    for (const time of [first, second, third]) expect(inBerlin.format(time)).toBe(`${WEEKDAY} 00:00`);
    expect(third > second && second > first).toBe(true);
  });

  test("are rejected with the place and the reason", async () => {
    const add = (changes: object) => owner.post(`${api}/boards`, { ...weekly, boardId: "other", ...changes });
    const inRhythm = (changes: object) => ({
      periods: { kind: "rhythm", rhythm: { ...rhythm, ...changes }, from: null },
    });
    const cases: [changes: object, pointer: string][] = [
      [{ boardId: "Weekly!" }, "/boardId"],
      [{ name: "" }, "/name"],
      [{ settleHours: 169 }, "/settleHours"],
      [inRhythm({ timeZone: "Mars" }), "/periods/rhythm/timeZone"],
      [inRhythm({ at: "24:00" }), "/periods/rhythm/at"],
      [inRhythm({ every: "month", on: 31 }), "/periods/rhythm/on"],
    ];
    for (const [changes, pointer] of cases)
      expect(await add(changes)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    const early = { periods: { kind: "rhythm", rhythm, from: "2020-01-01T00:00:00.000Z" } };
    expect(await add(early)).toMatchObject({ status: 400, body: { detail: expect.stringContaining("400 days") } });
    for (let index = 0; index < 7; index += 1) expect((await add({ boardId: `b${index}` })).status).toBe(200);
    expect(await add({ boardId: "ninth" })).toMatchObject({ status: 409, body: { code: "conflict" } });
  });
});

describePages("the page Boards", (browser) => {
  test("lets an owner add a board once its next boundaries are seen, and read its periods", async () => {
    const shown = await makeClanCaller(dashboard.world, port);
    await dashboard.signedIn("olga", "owner", shown.clanId);
    await shown.awards(AWARDS);
    const page = await browser.openAs("olga", dashboard.url);
    await openPage(page, "Boards");
    await page.getByText("No boards yet.").waitFor();
    await press(page, "Add the first board");
    const dialog = page.getByRole("dialog");
    await submit(dialog, { "Time zone": "Berlin" }, "Save");
    for (const fault of [/^Name must not be empty/, /^Board ID must not be empty/, /^Time zone must be a time zone/])
      await dialog.getByText(fault).waitFor();
    await expectReadable(page);
    await fill(dialog, { Name: "Thís week!" });
    const boardId = dialog.getByLabel("Board ID", { exact: true });
    expect(await boardId.inputValue()).toBe("this-week");
    await boardId.fill("weekly");
    await fill(dialog, { Name: "This week" });
    expect(await boardId.inputValue()).toBe("weekly");
    await fill(dialog, { On: INDIAN_WEEKDAY, "Time zone": "Asia/Kolkata" });
    const boundaries = dialog.getByRole("region", { name: "Next boundaries" });
    // 00:00 in India.
    await boundaries.filter({ hasText: /18:30 UTC/ }).waitFor();
    expect(await boundaries.getByRole("listitem").count()).toBe(3);
    await press(dialog, "Save");
    const row = page.getByRole("row", { name: /This week/ });
    await row.getByText(`Every ${INDIAN_WEEKDAY} at 00:00, Asia/Kolkata`).waitFor();
    await chooseIn(row, "Edit");
    await submit(dialog, { Name: "Weekly" }, "Save");
    await page.getByRole("link", { name: "Weekly" }).click();
    await shows(page, "Weekly");
    const standings = page.getByRole("table", { name: "Standings" });
    await standings.getByRole("row", { name: /p2/ }).waitFor();
    const texts = await standings.getByRole("row").allInnerTexts();
    expect(texts.slice(1)).toStrictEqual([
      expect.stringMatching(/1\s+[^]*p2[^]*50/),
      expect.stringMatching(/2\s+[^]*p1[^]*30/),
    ]);
    expect(await page.getByLabel("Period").locator("option:checked").textContent()).toMatch(/ 20\d\d \(now\)$/);
    await expectUsable(page);
    await fill(page, { "Search members": "p1" });
    await standings.getByRole("row", { name: /p2/ }).waitFor({ state: "detached" });
    expect(await standings.getByRole("row", { name: /p1/ }).innerText()).toMatch(/^2\s+[^]*p1[^]*30/);
    await fill(page, { "Search members": "nobody" });
    await page.getByText("No members found.").waitFor();
    await expectReadable(page);
    await page.goto(`${dashboard.url}/clans/${shown.clanId}/members?board=weekly&period=current`);
    await expect.poll(() => page.getByLabel("Period").inputValue()).toBe("weekly/current");
    await standings.getByRole("row", { name: /p2/ }).waitFor();
    await fill(page, { Period: "All time" });
    await page.getByRole("table", { name: "Members" }).waitFor();
    await fill(page, { Period: "weekly/previous" });
    // The empty state, not an error.
    await page.getByText("No period of the board has ended.").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await expectReadable(page);

    await page.getByRole("link", { name: "Boards", exact: true }).click();
    await chooseIn(page.getByRole("row", { name: /Weekly/ }), "Remove");
    await submit(dialog, { "Type Weekly to confirm": "Weekly" }, "Remove board");
    await page.getByText("No boards yet.").waitFor();
  });

  test("offers every period of a board of days, and the one that the address names", async () => {
    const { clanId, person: daily } = await dashboard.newClan("dora");
    const from = new Date(Date.now() - 300 * DAY_MS).toISOString();
    // Half a day from now, so that no day of the board ends during the test.
    const end = Math.floor((Date.now() + DAY_MS / 2) / HOUR_MS) * HOUR_MS;
    const at = new Date(end).toISOString().slice(11, 16);
    const idOf = (daysBeforeEnd: number): string =>
      new Date(end - daysBeforeEnd * DAY_MS).toISOString().replaceAll(/[-:]|\.\d+/g, "");
    const periods = { kind: "rhythm", rhythm: { every: "day", on: null, at, timeZone: "UTC" }, from };
    const body = { boardId: "daily", name: "Daily", settleHours: 1, periods };
    expect((await daily.post(`/api/clans/${clanId}/boards`, body)).status).toBe(200);
    const page = await browser.openAs("dora", dashboard.url);
    await page.getByRole("link", { name: "Members", exact: true }).click();
    const select = page.getByLabel("Period");
    // All time, a custom one, the current and the previous period, and the 299 days before.
    await expect.poll(() => select.getByRole("option").count()).toBe(4 + 299);
    const oldest = `daily/${idOf(301)}`;
    expect(await select.getByRole("option").last().getAttribute("value")).toBe(oldest);
    await select.selectOption(oldest);
    await page.getByText("Nobody has gained XP in this period.").waitFor();
    expect(await select.inputValue()).toBe(oldest);
    // A period that has another name, too.
    await page.goto(`${dashboard.url}/clans/${clanId}/members?board=daily&period=${idOf(1)}`);
    await expect.poll(() => select.inputValue()).toBe(`daily/${idOf(1)}`);
  });
});
