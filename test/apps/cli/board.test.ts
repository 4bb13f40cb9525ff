// board set, season, list, show, standings and remove.
import { beforeEach, describe, expect, test } from "vitest";
import { weekdays } from "#domain/board.ts";
import { ONLY_DELAYS, patientCliOn, type RanJson } from "../../support/cli.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { dayLongEnough } from "../../support/same-day.ts";
import { until } from "../../support/until.ts";
import { useWorld } from "../../support/use-api.ts";

const DAY_MS = 86_400_000;

const world = await useWorld();
const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, CLANXP_ACTOR: "ada" });
// No period of a day ends during a test.
beforeEach(dayLongEnough);

const newClan = async (): Promise<string> => (await world.makeClan()).clan.clanId;
const set = (clanId: string, boardId: string, ...args: string[]): Promise<RanJson> =>
  cli.json("board", "set", clanId, boardId, ...args);
const listed = async (clanId: string): Promise<any[]> => (await cli.json("board", "list", clanId)).answer.boards;
const shown = async (clanId: string, boardId: string): Promise<any> =>
  (await cli.json("board", "show", clanId, boardId)).answer;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

describe("board set", () => {
  test("returns exactly the documented fields, and stores them as they are listed", async () => {
    const clanId = await newClan();
    // Not today, when the running period could end.
    const on = weekdays[(new Date().getUTCDay() + 2) % 7] ?? "";
    const args = ["--every", "week", "--on", on, "--at", "18:30", "--time-zone", "Europe/Berlin", "--name", "Weekly"];
    const { exitCode, answer, stderr } = await set(clanId, "weekly", ...args, "--settle", "48h");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringMatching(ONLY_DELAYS) });
    const { periodId, startsAt, endsAt, finalAt } = answer.current;
    expect(answer).toStrictEqual({
      clanId,
      boardId: "weekly",
      name: "Weekly",
      every: "week",
      on,
      at: "18:30",
      timeZone: "Europe/Berlin",
      settleHours: 48,
      current: { periodId, startsAt, endsAt, finalAt, status: "open", members: 0 },
    });
    expect(new Date(startsAt).getTime()).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(finalAt) - Date.parse(endsAt)).toBe(48 * 3_600_000);
    expect(await listed(clanId)).toStrictEqual([answer]);
    const { records } = (await cli.json("audit", "list", "--clan", clanId)).answer;
    expect(records[0]).toMatchObject({ actor: "ada", via: "cli", action: "board.set", target: "weekly", before: null });
    expect(records[0].after).toMatchObject({ every: "week", on, at: "18:30", settleHours: 48 });
  });

  test.each([
    [["--every", "day"], { every: "day", on: null, at: "00:00", timeZone: "UTC", settleHours: 1, name: "b" }],
    [["--every", "week"], { every: "week", on: "monday", at: "00:00", timeZone: "UTC", settleHours: 1, name: "b" }],
    [["--every", "month"], { every: "month", on: 1, at: "00:00", timeZone: "UTC", settleHours: 1, name: "b" }],
  ])("%s has defaults for the rest", async (args, board) => {
    expect((await set(await newClan(), "b", ...args)).answer).toMatchObject(board);
  });

  test("a changed schedule begins when the running period ends, and what is not named stays", async () => {
    const clanId = await newClan();
    const before = (await set(clanId, "b", "--every", "month", "--on", "15", "--name", "Months")).answer;
    const { exitCode, answer } = await set(clanId, "b", "--every", "week", "--settle", "2h");
    expect(exitCode).toBe(0);
    const changed = { every: "week", on: "monday", name: "Months", settleHours: 2 };
    expect(answer).toMatchObject({ ...changed, current: before.current });
    const { periods } = await shown(clanId, "b");
    expect(periods.map(({ status }: any) => status)).toStrictEqual(["upcoming", "open"]);
    expect(periods[0].startsAt).toBe(before.current.endsAt);
    expect(Date.parse(periods[0].endsAt) - Date.parse(periods[0].startsAt)).toBeLessThanOrEqual(7 * DAY_MS);
    const [{ before: was, after }] = (await cli.json("audit", "list", "--clan", clanId)).answer.records;
    expect({ was, after }).toMatchObject({ was: { every: "month", on: 15 }, after: { every: "week", on: "monday" } });
  });

  test("--from has the periods since then", async () => {
    const clanId = await newClan();
    await set(clanId, "b", "--every", "day", "--from", inDays(-3));
    const { periods } = await shown(clanId, "b");
    expect(periods).toHaveLength(5);
    expect(periods.at(-1).startsAt).toBe(`${inDays(-3)}T00:00:00.000Z`);
  });

  test.each<[string[], string]>([
    [["--from", inDays(-1)], "--from is for a new board"],
    [["--season", "--from", inDays(1), "--to", inDays(2)], "add a season with clanxp board season"],
    [["--on", "friday"], "--on is for weeks and months alone"],
  ])("%s is an error for a board that exists", async (args, text) => {
    const clanId = await newClan();
    await set(clanId, "b", "--every", "day");
    expect((await set(clanId, "b", ...args)).answer.error).toMatchObject({ message: expect.stringContaining(text) });
  });

  test("a clan has at most 8 boards", async () => {
    const clanId = await newClan();
    for (let board = 1; board <= 8; board += 1) await set(clanId, `b${board}`, "--every", "day");
    const { exitCode, answer } = await set(clanId, "b9", "--every", "day");
    expect({ exitCode, code: answer.error.code }).toEqual({ exitCode: 1, code: "too_many_boards" });
    expect(await set(clanId, "b8", "--name", "Eight")).toMatchObject({ exitCode: 0 });
  });
});

describe("board season", () => {
  const season = (clanId: string, from: number, to: number): Promise<RanJson> =>
    cli.json("board", "season", clanId, "s", "--from", inDays(from), "--to", inDays(to));

  test("adds seasons that do not overlap", async () => {
    const clanId = await newClan();
    const board = (await set(clanId, "s", "--season", "--from", inDays(-1), "--to", inDays(5))).answer;
    expect(board).toMatchObject({ every: "season", on: null, at: null, timeZone: null, current: { status: "open" } });
    const { exitCode, answer } = await season(clanId, 5, 9);
    expect(exitCode).toBe(0);
    expect(answer.periods.map(({ status }: any) => status)).toStrictEqual(["upcoming", "open"]);
    const overlapping = await season(clanId, 8, 10);
    expect(overlapping).toMatchObject({ exitCode: 1, answer: { error: { code: "season_overlaps" } } });
    expect((await shown(clanId, "s")).periods).toHaveLength(2);
    const [record] = (await cli.json("audit", "list", "--clan", clanId)).answer.records;
    expect(record).toMatchObject({ action: "board.season", target: "s", before: null });
    expect(record.after.seasons).toHaveLength(1);
  });

  test("a season can begin and end at any millisecond", async () => {
    const clanId = await newClan();
    const [first, second] = [`${inDays(1)}T18:00:00.123Z`, `${inDays(2)}T18:00:00.5Z`];
    expect(await set(clanId, "s", "--season", "--from", first, "--to", second)).toMatchObject({ exitCode: 0 });
    const { exitCode, answer } = await cli.json("board", "season", clanId, "s", "--from", second, "--to", inDays(9));
    expect(exitCode).toBe(0);
    expect(answer.periods).toMatchObject([
      { startsAt: first, endsAt: `${inDays(2)}T18:00:00.500Z`, periodId: expect.stringMatching(/T180000Z123$/) },
    ]);
    const { periodId } = answer.periods[0];
    await expect
      .poll(() => cli.json("board", "standings", clanId, "s", "--period", periodId))
      .toMatchObject({
        exitCode: 0,
        answer: { period: { periodId, startsAt: first, status: "upcoming" } },
      });
  });

  test("a changed --settle applies to seasons that have not begun, and moves no other", async () => {
    const clanId = await newClan();
    await set(clanId, "s", "--season", "--from", inDays(-1), "--to", inDays(5));
    const [coming, running] = (await season(clanId, 5, 9)).answer.periods;
    const settlingMs = ({ endsAt, finalAt }: any): number => Date.parse(finalAt) - Date.parse(endsAt);
    for (const [settle, ms] of [
      ["48h", 48 * 3_600_000],
      ["0h", 60_000],
    ] as const) {
      expect(await set(clanId, "s", "--settle", settle)).toMatchObject({ exitCode: 0 });
      const { periods } = await shown(clanId, "s");
      expect(settlingMs(periods[0])).toBe(ms);
      expect(periods).toStrictEqual([{ ...coming, finalAt: periods[0].finalAt }, running]);
    }
  });

  test("is an error for another board", async () => {
    const clanId = await newClan();
    await set(clanId, "s", "--every", "day");
    expect((await season(clanId, 1, 2)).answer.error.message).toContain("and no seasons");
  });
});

describe("board standings", () => {
  test("lists members as JSON and as CSV, with names", async () => {
    const { port } = await world.startApi();
    const clan = await makeClanCaller(world, port);
    const { clanId } = clan;
    await set(clanId, "d", "--every", "day");
    await clan.award("2", { amount: 5 });
    await clan.award("1", { amount: 7 });
    await clan.post("/names", { names: [{ platformId: "1", name: '=Ada, "A"' }] });
    let answer: any;
    await until(async () => {
      ({ answer } = await cli.json("board", "standings", clanId, "d"));
      // None, with an error, if counting takes longer than a reader waits.
      return answer.members?.length === 2;
    });
    expect(answer).toMatchObject({ period: { status: "open", members: 2 }, nextCursor: null });
    expect(answer.members).toMatchObject([
      { platformId: "1", xp: "7", position: 1 },
      { platformId: "2", xp: "5", position: 2, name: null },
    ]);
    const { stdout } = await cli.run("board", "standings", clanId, "d", "--csv");
    const lines = stdout.split("\n");
    expect(lines[0]).toBe("position,platform_id,name,xp,reached_at");
    expect(lines[2]).toBe(`2,2,,5,${answer.members[1].reachedAt}`);
    expect((await cli.run("board", "standings", clanId, "d")).stdout).toMatch(/POSITION +MEMBER/);
    const none = await cli.json("board", "standings", clanId, "d", "--period", "previous");
    expect(none).toMatchObject({ exitCode: 1, answer: { error: { code: "period_not_found" } } });
    const unknown = await cli.json("board", "standings", clanId, "dd");
    expect(unknown.answer.error).toMatchObject({ code: "board_not_found", message: expect.stringContaining('"d"') });
  });
});

describe("board remove", () => {
  test("removes a board with its periods, and a board with this id begins anew", async () => {
    const clanId = await newClan();
    await set(clanId, "d", "--every", "day", "--from", inDays(-3));
    const { exitCode } = await cli.json("board", "remove", clanId, "d");
    expect(exitCode).toBe(0);
    expect(await listed(clanId)).toStrictEqual([]);
    const [record] = (await cli.json("audit", "list", "--clan", clanId)).answer.records;
    expect(record).toMatchObject({ action: "board.remove", target: "d", after: null, before: { every: "day" } });
    await set(clanId, "d", "--every", "day");
    expect((await shown(clanId, "d")).periods).toHaveLength(2);
  });
});
